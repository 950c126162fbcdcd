package dev.edl.k8s.internal.record;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of {@link PackedColumnWriter}. Each method throws an {@link IllegalArgumentException} for other bytes.
 * Memory is bounded by the input and by the requested rows. Not thread-safe.
 */
final class PackedColumnReader {
    private final byte[] bytes;
    private int at;

    PackedColumnReader(byte[] bytes, int from) {
        this.bytes = bytes;
        this.at = from;
    }

    boolean ended() {
        return at == bytes.length;
    }

    private int next() {
        if (at == bytes.length) {
            throw new IllegalArgumentException("the columns end after " + at + " bytes, within a value");
        }
        return bytes[at++] & 0xff;
    }

    long number() {
        long bits = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = next();
            bits |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return bits >>> 1 ^ -(bits & 1);
            }
        }
        throw new IllegalArgumentException("the columns have a number of more than 64 bits before byte " + at);
    }

    /**
     * Reads a number from 0 to {@code most}.
     *
     * @param what name of the number, for the message when it is out of range
     */
    int number(int most, String what) {
        long number = number();
        if (number < 0 || number > most) {
            throw new IllegalArgumentException(
                    "the columns have " + what + " " + number + " before byte " + at + "; the most is " + most);
        }
        return (int) number;
    }

    String text() {
        int length = number(bytes.length, "a text of length");
        if (length > bytes.length - at) {
            throw new IllegalArgumentException("the columns end within a text of length " + length);
        }
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    List<Long> numbers(int rows) {
        if (rows == 0) {
            return List.of();
        }
        int way = next();
        return switch (way) {
            case PackedColumnWriter.SAME -> Collections.nCopies(rows, number());
            case PackedColumnWriter.RUNS -> runs(rows);
            case PackedColumnWriter.BITS -> bits(rows);
            default -> throw new IllegalArgumentException("the columns have kind " + way + " before byte " + at);
        };
    }

    private List<Long> runs(int rows) {
        List<Long> values = new ArrayList<>(rows);
        while (values.size() < rows) {
            long value = number();
            int length = number(rows - values.size(), "a run of");
            if (length == 0) {
                throw new IllegalArgumentException("the columns have an empty run before byte " + at);
            }
            values.addAll(Collections.nCopies(length, value));
        }
        return values;
    }

    private List<Long> bits(int rows) {
        long least = number();
        long divisor = number();
        int width = next();
        if (width > Long.SIZE) {
            throw new IllegalArgumentException("the columns have numbers of " + width + " bits before byte " + at);
        }
        List<Long> values = new ArrayList<>(rows);
        int pending = 0;
        int held = 0;
        for (int row = 0; row < rows; row++) {
            long quotient = 0;
            for (int bit = 0; bit < width; bit++) {
                if (held == 0) {
                    pending = next();
                    held = Byte.SIZE;
                }
                quotient |= (long) (pending & 1) << bit;
                pending >>>= 1;
                held--;
            }
            values.add(least + quotient * divisor);
        }
        return values;
    }

    List<@Nullable String> texts(int rows) {
        int size = number(bytes.length - at, "a number of texts");
        List<String> known = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            known.add(text());
        }
        List<@Nullable String> texts = new ArrayList<>(rows);
        for (long place : numbers(rows)) {
            if (place < 0 || place > size) {
                throw new IllegalArgumentException(
                        "the columns have text " + place + " of " + size + " before byte " + at);
            }
            texts.add(place == 0 ? null : known.get((int) place - 1));
        }
        return texts;
    }
}
