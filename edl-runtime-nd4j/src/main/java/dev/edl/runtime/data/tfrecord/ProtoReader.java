package dev.edl.runtime.data.tfrecord;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reader of protobuf's wire format in place, without a copy. Not safe for several threads.
 *
 * <p>Every fault is an {@link IllegalArgumentException} that names the byte, counted from the start of the message.
 */
final class ProtoReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int DELIMITED = 2;
    static final int FIXED32 = 5;
    private static final int GROUP = 3;
    private static final int END_GROUP = 4;
    private static final int DEEPEST = 100;
    private static final int LONGEST_VARINT = 10;

    private final ByteBuffer bytes;
    private final int start;
    private int at;
    private int end;

    /** Creates a reader of a buffer's remaining bytes; the buffer's position and limit do not change. */
    ProtoReader(ByteBuffer message) {
        this.bytes = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.start = message.position();
        this.at = start;
        this.end = message.limit();
    }

    ByteBuffer bytes() {
        return bytes;
    }

    boolean more() {
        return at < end;
    }

    int at() {
        return at;
    }

    /** Restricts reading to the bytes from {@code from} (inclusive) to {@code to} (exclusive) of the message. */
    void range(int from, int to) {
        at = from;
        end = to;
    }

    /** Reads a tag: a field number and wire type. */
    int tag() {
        int from = at;
        long tag = varint();
        if (tag >>> 3 == 0 || tag >>> 32 != 0) {
            throw corrupt(from, "a field number from 1 to 536870911", Long.toUnsignedString(tag >>> 3));
        }
        return (int) tag;
    }

    long varint() {
        int from = at;
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            if (at == end) {
                throw corrupt(from, "a number", (end - from) + " bytes of one and the end");
            }
            byte next = bytes.get(at++);
            value |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw corrupt(from, "a number of at most 10 bytes", "a longer one");
    }

    /** Reads the length of a field, moves to the start of the field's content, and returns the index after its end. */
    int delimited() {
        int from = at;
        long length = varint();
        if (length < 0 || length > end - at) {
            throw corrupt(
                    from, "a field of " + Long.toUnsignedString(length) + " bytes", (end - at) + " bytes and the end");
        }
        return at + (int) length;
    }

    float float32() {
        need(Float.BYTES);
        at += Float.BYTES;
        return bytes.getFloat(at - Float.BYTES);
    }

    void seek(int to) {
        at = to;
    }

    /** Skips a field whose tag was read. */
    void skip(int tag) {
        int depth = 0;
        int next = tag;
        while (true) {
            switch (next & 7) {
                case VARINT -> varint();
                case FIXED64 -> {
                    need(Long.BYTES);
                    at += Long.BYTES;
                }
                case DELIMITED -> at = delimited();
                case GROUP -> depth++;
                case END_GROUP -> depth--;
                case FIXED32 -> {
                    need(Integer.BYTES);
                    at += Integer.BYTES;
                }
                default -> throw corrupt(at, "a wire type from 0 to 5", "" + (next & 7));
            }
            if (depth < 0 || depth > DEEPEST) {
                throw corrupt(
                        at, "groups of at most " + DEEPEST + " levels, each opened before it is closed", "others");
            }
            if (depth == 0) {
                return;
            }
            next = tag();
        }
    }

    IllegalArgumentException corrupt(int place, String expected, String found) {
        return new IllegalArgumentException(
                "not a tf.Example: at byte " + (place - start) + ": expected " + expected + ", found " + found);
    }

    private void need(int count) {
        if (end - at < count) {
            throw corrupt(at, "a value of " + count + " bytes", (end - at) + " bytes and the end");
        }
    }
}
