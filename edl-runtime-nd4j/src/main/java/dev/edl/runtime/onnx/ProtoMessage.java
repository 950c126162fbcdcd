package dev.edl.runtime.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A message in the binary encoding of Protocol Buffers: varints, 32-bit values, and fields with a length. Fields are
 * written in the order of the calls.
 */
final class ProtoMessage {
    private static final int VARINT = 0;
    private static final int LENGTH = 2;
    private static final int FIXED_32 = 5;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            bytes.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        bytes.write((int) left);
    }

    private void tag(int field, int type) {
        varint(((long) field << 3) | type);
    }

    ProtoMessage integer(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoMessage number(int field, float value) {
        tag(field, FIXED_32);
        int bits = Float.floatToIntBits(value);
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            bytes.write(bits >>> shift);
        }
        return this;
    }

    ProtoMessage raw(int field, byte[] value) {
        tag(field, LENGTH);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    ProtoMessage text(int field, String value) {
        return raw(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoMessage message(int field, ProtoMessage value) {
        return raw(field, value.bytes.toByteArray());
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    /** Returns the text for people: the size. */
    @Override
    public String toString() {
        return "message of " + bytes.size() + " bytes";
    }
}
