package dev.edl.runtime.data.tfrecord;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builder of a protobuf message with four wire types; fields are in the order of the calls. */
final class ProtoWriter {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int DELIMITED = 2;
    private static final int FIXED32 = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ProtoWriter int64(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoWriter float64(int field, double value) {
        tag(field, FIXED64);
        out.writeBytes(ByteBuffer.allocate(Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble(value)
                .array());
        return this;
    }

    ProtoWriter float32(int field, float value) {
        tag(field, FIXED32);
        out.writeBytes(ByteBuffer.allocate(Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(value)
                .array());
        return this;
    }

    ProtoWriter string(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoWriter message(int field, ProtoWriter value) {
        return bytes(field, value.toByteArray());
    }

    /** Appends a repeated field, packed; appends nothing if there are no values, as protobuf does. */
    ProtoWriter packed(int field, long[] values) {
        if (values.length == 0) {
            return this;
        }
        ProtoWriter all = new ProtoWriter();
        for (long value : values) {
            all.varint(value);
        }
        return message(field, all);
    }

    /** Appends a repeated field, packed; appends nothing if there are no values, as protobuf does. */
    ProtoWriter packed(int field, float[] values) {
        if (values.length == 0) {
            return this;
        }
        ByteBuffer all = ByteBuffer.allocate(Math.multiplyExact(Float.BYTES, values.length))
                .order(ByteOrder.LITTLE_ENDIAN);
        all.asFloatBuffer().put(values);
        return bytes(field, all.array());
    }

    byte[] toByteArray() {
        return out.toByteArray();
    }

    ProtoWriter bytes(int field, byte[] value) {
        tag(field, DELIMITED);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    private void tag(int field, int wireType) {
        varint(((long) field << 3) | wireType);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
