package dev.edl.runtime.task;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes numbers and texts as few bytes: integers in base 128, low digits first, with the high bit of a byte set when
 * more follow; signed ones zigzag (0, -1, 1, -2, …). The encoding of Protocol Buffers' varint and sint64.
 */
final class Encoder {
    private byte[] bytes = new byte[128];
    private int size;

    /** Forgets what was written. */
    Encoder clear() {
        size = 0;
        return this;
    }

    int size() {
        return size;
    }

    ByteBuffer written() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    Encoder unsigned(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("an unsigned number must be at least 0, was " + value);
        }
        return digits(value);
    }

    Encoder signed(long value) {
        return digits((value << 1) ^ (value >> 63));
    }

    private Encoder digits(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        return put((byte) rest);
    }

    Encoder text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        unsigned(utf8.length);
        room(utf8.length);
        System.arraycopy(utf8, 0, bytes, size, utf8.length);
        size += utf8.length;
        return this;
    }

    Encoder instant(Instant instant) {
        return signed(instant.getEpochSecond()).unsigned(instant.getNano());
    }

    Encoder duration(Duration duration) {
        return signed(duration.getSeconds()).unsigned(duration.getNano());
    }

    Encoder put(byte value) {
        room(1);
        bytes[size++] = value;
        return this;
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), Math.multiplyExact(bytes.length, 2)));
        }
    }
}
