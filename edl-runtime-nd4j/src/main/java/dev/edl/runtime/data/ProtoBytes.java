package dev.edl.runtime.data;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds a protobuf message by hand: the four wire types that an event needs, in the order of the calls. */
final class ProtoBytes {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int DELIMITED = 2;
    private static final int FIXED32 = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ProtoBytes int64(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoBytes float64(int field, double value) {
        tag(field, FIXED64);
        out.writeBytes(ByteBuffer.allocate(Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble(value)
                .array());
        return this;
    }

    ProtoBytes float32(int field, float value) {
        tag(field, FIXED32);
        out.writeBytes(ByteBuffer.allocate(Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(value)
                .array());
        return this;
    }

    ProtoBytes string(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoBytes message(int field, ProtoBytes value) {
        return bytes(field, value.toByteArray());
    }

    byte[] toByteArray() {
        return out.toByteArray();
    }

    private ProtoBytes bytes(int field, byte[] value) {
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
