package dev.edl.runtime.engine.decisions;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Decoder of the output of {@link VarintEncoder}. Undecodable input throws an {@link IllegalArgumentException} whose
 * message explains it.
 */
public final class VarintDecoder {
    private final ByteBuffer bytes;

    public VarintDecoder(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    public int remaining() {
        return bytes.remaining();
    }

    public byte get() {
        if (!bytes.hasRemaining()) {
            throw new IllegalArgumentException("a complete entry, but it ends early");
        }
        return bytes.get();
    }

    public long unsigned() {
        long value = digits();
        if (value < 0) {
            throw new IllegalArgumentException("a number of at least 0, but it is " + value);
        }
        return value;
    }

    public int count() {
        long value = unsigned();
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a number of at most " + Integer.MAX_VALUE + ", but it is " + value);
        }
        return (int) value;
    }

    public long signed() {
        long value = digits();
        return (value >>> 1) ^ -(value & 1);
    }

    private long digits() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte digit = get();
            value |= (digit & 0x7FL) << shift;
            if (digit >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of at most 10 digits, but it is longer");
    }

    public String text() {
        int length = count();
        if (length > bytes.remaining()) {
            throw new IllegalArgumentException(
                    "a text of " + length + " bytes, but only " + bytes.remaining() + " are left");
        }
        byte[] utf8 = new byte[length];
        bytes.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    public Duration duration() {
        return Duration.ofSeconds(signed(), unsigned());
    }
}
