package dev.edl.runtime.engine.decisions;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * Compact encoder of numbers and texts. Integers are in base 128, low digits first; the high bit of a byte is set if
 * more follow. Signed integers are zigzag (0, -1, 1, -2, …). The encoding equals Protocol Buffers' varint and sint64.
 */
public final class VarintEncoder {
    private byte[] bytes = new byte[128];
    private int size;

    /** Discards the written bytes. */
    public VarintEncoder clear() {
        size = 0;
        return this;
    }

    public int size() {
        return size;
    }

    public ByteBuffer written() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    public VarintEncoder unsigned(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("an unsigned number must be at least 0, was " + value);
        }
        return digits(value);
    }

    public VarintEncoder signed(long value) {
        return digits((value << 1) ^ (value >> 63));
    }

    private VarintEncoder digits(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        return put((byte) rest);
    }

    public VarintEncoder text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        unsigned(utf8.length);
        ensureCapacity(utf8.length);
        System.arraycopy(utf8, 0, bytes, size, utf8.length);
        size += utf8.length;
        return this;
    }

    public VarintEncoder duration(Duration duration) {
        return signed(duration.getSeconds()).unsigned(duration.getNano());
    }

    public VarintEncoder put(byte value) {
        ensureCapacity(1);
        bytes[size++] = value;
        return this;
    }

    private void ensureCapacity(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), Math.multiplyExact(bytes.length, 2)));
        }
    }
}
