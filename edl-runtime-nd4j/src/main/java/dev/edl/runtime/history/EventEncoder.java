package dev.edl.runtime.history;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of one {@link HistoryEvent}. Counts and ids are written in base 128, low digits first, as Protocol Buffers'
 * varints.
 */
final class EventEncoder {
    private byte[] bytes = new byte[256];
    private int size;

    EventEncoder clear() {
        size = 0;
        return this;
    }

    int size() {
        return size;
    }

    byte[] bytes() {
        return bytes;
    }

    EventEncoder put(int value) {
        ensureCapacity(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Writes a number in base 128; small non-negative numbers take few bytes. */
    EventEncoder number(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            put((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        return put((int) rest);
    }

    /** Writes a number in eight bytes, for numbers that are rarely small, such as fingerprints. */
    EventEncoder fixed(long value) {
        for (int shift = 0; shift < 64; shift += 8) {
            put((int) (value >>> shift));
        }
        return this;
    }

    EventEncoder text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        number(utf8.length);
        ensureCapacity(utf8.length);
        System.arraycopy(utf8, 0, bytes, size, utf8.length);
        size += utf8.length;
        return this;
    }

    EventEncoder numbers(List<Long> values) {
        number(values.size());
        values.forEach(this::number);
        return this;
    }

    EventEncoder fixed(List<Long> values) {
        number(values.size());
        values.forEach(this::fixed);
        return this;
    }

    /** Writes a set of push ids as the lengths of its ranges and of the gaps between them. */
    EventEncoder pushes(PushSet pushes) {
        long[] bounds = pushes.bounds();
        number(bounds.length);
        long last = 0;
        for (long bound : bounds) {
            number(bound - last);
            last = bound;
        }
        return this;
    }

    EventEncoder floats(@Nullable RecordedVector floats) {
        if (floats == null) {
            return number(0);
        }
        number(1L + floats.size());
        for (float value : floats.values()) {
            int bits = Float.floatToRawIntBits(value);
            put(bits).put(bits >>> 8).put(bits >>> 16).put(bits >>> 24);
        }
        return this;
    }

    private void ensureCapacity(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), Math.multiplyExact(bytes.length, 2)));
        }
    }
}
