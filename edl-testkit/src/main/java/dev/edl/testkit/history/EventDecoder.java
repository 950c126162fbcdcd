package dev.edl.testkit.history;

import dev.edl.runtime.history.PushSet;
import dev.edl.runtime.history.RecordedVector;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decoder for the components of an event. Undecodable input throws an {@link IllegalArgumentException} whose
 * message explains it.
 */
final class EventDecoder {
    private final ByteBuffer bytes;

    EventDecoder(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    int get() {
        need(1);
        return bytes.get() & 0xFF;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            int digit = get();
            value |= (digit & 0x7FL) << shift;
            if (digit < 0x80) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of at most 10 digits, but it is longer");
    }

    int integer() {
        long value = number();
        if (value != (int) value) {
            throw new IllegalArgumentException("a number of 32 bits, but it is " + value);
        }
        return (int) value;
    }

    private int count(int bytesEach) {
        int count = integer();
        if (count < 0 || count > bytes.remaining() / bytesEach) {
            throw new IllegalArgumentException(
                    count + " entries more, but there are only " + bytes.remaining() + " bytes left");
        }
        return count;
    }

    long fixed() {
        need(Long.BYTES);
        return bytes.getLong();
    }

    String text() {
        byte[] utf8 = new byte[count(1)];
        bytes.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    List<Long> numbers() {
        return list(count(1), this::number);
    }

    List<Long> fixedNumbers() {
        return list(count(Long.BYTES), this::fixed);
    }

    private static List<Long> list(int count, LongSupplier next) {
        List<Long> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(next.getAsLong());
        }
        return values;
    }

    PushSet pushes() {
        long[] bounds = new long[count(1)];
        long last = 0;
        for (int i = 0; i < bounds.length; i++) {
            last += number();
            bounds[i] = last;
        }
        return PushSet.ofBounds(bounds);
    }

    @Nullable
    RecordedVector floats() {
        int size = integer() - 1;
        if (size < 0) {
            return null;
        }
        need(4L * size);
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = bytes.getFloat();
        }
        return RecordedVector.copyOf(values);
    }

    /** Returns the constant of the encoded name. */
    <E extends Enum<E>> E oneOf(E[] constants) {
        String name = text();
        for (E constant : constants) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("one of " + List.of(constants) + ", but it is \"" + name + "\"");
    }

    void end() {
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException("its end, but " + bytes.remaining() + " bytes follow");
        }
    }

    private void need(long count) {
        if (bytes.remaining() < count) {
            throw new IllegalArgumentException("a complete event, but it ends early");
        }
    }
}
