package dev.edl.runtime.onnx;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Reads the fields of a message in the binary encoding of Protocol Buffers, in the order of the bytes. The reader of a
 * field takes its value; {@link #next} skips a value that was not taken.
 */
final class ProtoReader {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED_32 = 5;
    private static final int MOST_VARINT_BITS = 63;

    private final byte[] bytes;
    private final int end;
    private int at;
    private int field;
    private int type;
    private boolean taken = true;

    private ProtoReader(byte[] bytes, int at, int end) {
        this.bytes = bytes;
        this.at = at;
        this.end = end;
    }

    static ProtoReader of(byte[] bytes) {
        return new ProtoReader(bytes, 0, bytes.length);
    }

    /** Moves to the next field; returns false at the end of the message. */
    boolean next() {
        if (!taken) {
            skip();
        }
        if (at == end) {
            return false;
        }
        long tag = varint();
        field = (int) (tag >>> 3);
        type = (int) (tag & 7);
        taken = false;
        return true;
    }

    int field() {
        return field;
    }

    private void skip() {
        switch (type) {
            case VARINT -> varint();
            case FIXED_64 -> move(Long.BYTES);
            case LENGTH -> move(varint());
            case FIXED_32 -> move(Integer.BYTES);
            default -> throw fault("field " + field + " has wire type " + type);
        }
    }

    /** Returns the offset of a value of some bytes, and moves behind it. */
    private int move(long count) {
        if (count < 0 || count > end - at) {
            throw fault("field " + field + " has " + count + " bytes, of which " + (end - at) + " are left");
        }
        int from = at;
        at += (int) count;
        return from;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift <= MOST_VARINT_BITS; shift += 7) {
            if (at == end) {
                throw fault("a number is cut");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw fault("a number has more than 64 bits");
    }

    private void take(int expected) {
        if (type != expected) {
            throw fault("field " + field + " must have wire type " + expected + ", was " + type);
        }
        taken = true;
    }

    long integer() {
        take(VARINT);
        return varint();
    }

    float number() {
        take(FIXED_32);
        return number(move(Float.BYTES));
    }

    private float number(int from) {
        int bits = 0;
        for (int i = Float.BYTES - 1; i >= 0; i--) {
            bits = bits << Byte.SIZE | (bytes[from + i] & 0xff);
        }
        return Float.intBitsToFloat(bits);
    }

    byte[] raw() {
        take(LENGTH);
        int from = move(varint());
        return Arrays.copyOfRange(bytes, from, at);
    }

    String text() {
        return new String(raw(), StandardCharsets.UTF_8);
    }

    ProtoReader message() {
        take(LENGTH);
        int from = move(varint());
        return new ProtoReader(bytes, from, at);
    }

    /** Takes an element of a repeated field of integers, or all of them if they are packed. */
    void integers(LongConsumer each) {
        if (type != LENGTH) {
            each.accept(integer());
            return;
        }
        ProtoReader packed = message();
        while (packed.at < packed.end) {
            each.accept(packed.varint());
        }
    }

    /** Takes an element of a repeated field of floats, or all of them if they are packed. */
    List<Float> numbers() {
        if (type != LENGTH) {
            return List.of(number());
        }
        ProtoReader packed = message();
        List<Float> all = new ArrayList<>();
        while (packed.at < packed.end) {
            all.add(packed.number(packed.move(Float.BYTES)));
        }
        return all;
    }

    private IllegalArgumentException fault(String what) {
        return new IllegalArgumentException("byte " + at + ": " + what);
    }

    /** Returns the text for people: the position. */
    @Override
    public String toString() {
        return "field " + field + " at byte " + at + " of " + end;
    }
}
