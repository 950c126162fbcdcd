package dev.edl.k8s.internal.record;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes columns of values, each in the shortest of three encodings. {@link PackedColumnReader} reads them. Not thread-safe.
 */
final class PackedColumnWriter {
    /** Encoding of a column whose values are all equal. */
    static final int SAME = 0;

    /** Encoding as pairs of a value and its run length. */
    static final int RUNS = 1;

    /**
     * Encoding as the minimum, a common divisor of the values' differences to the minimum, and the quotients. Each
     * quotient takes as many bits as the largest one.
     */
    static final int BITS = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    byte[] bytes() {
        return out.toByteArray();
    }

    /** Writes a number with seven bits per byte, the lowest first. Numbers near zero are short. */
    void number(long value) {
        long bits = value << 1 ^ value >> 63;
        while ((bits & ~0x7fL) != 0) {
            out.write((int) ((bits & 0x7f) | 0x80));
            bits >>>= 7;
        }
        out.write((int) bits);
    }

    /** Writes the length of a text in bytes, then the text. */
    void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        out.writeBytes(bytes);
    }

    /** Writes numbers whose count the reader knows. */
    void numbers(List<Long> values) {
        if (values.isEmpty()) {
            return;
        }
        byte[] runs = runs(values);
        byte[] bits = bits(values);
        if (values.stream().distinct().limit(2).count() == 1) {
            out.write(SAME);
            number(values.get(0));
        } else {
            out.write(runs.length < bits.length ? RUNS : BITS);
            out.writeBytes(runs.length < bits.length ? runs : bits);
        }
    }

    private static byte[] runs(List<Long> values) {
        PackedColumnWriter runs = new PackedColumnWriter();
        int from = 0;
        for (int i = 1; i <= values.size(); i++) {
            if (i == values.size() || !values.get(i).equals(values.get(from))) {
                runs.number(values.get(from));
                runs.number(i - from);
                from = i;
            }
        }
        return runs.bytes();
    }

    private static byte[] bits(List<Long> values) {
        long least = values.stream().mapToLong(Long::longValue).min().orElse(0);
        long divisor = 0;
        long most = 0;
        for (long value : values) {
            // Unsigned, because the difference of two numbers may overflow a sign.
            long above = value - least;
            divisor = divisor(divisor, above);
            most = Long.compareUnsigned(above, most) > 0 ? above : most;
        }
        divisor = divisor == 0 ? 1 : divisor;
        int width = Long.SIZE - Long.numberOfLeadingZeros(Long.divideUnsigned(most, divisor));
        PackedColumnWriter packed = new PackedColumnWriter();
        packed.number(least);
        packed.number(divisor);
        packed.out.write(width);
        int pending = 0;
        int held = 0;
        for (long value : values) {
            long quotient = Long.divideUnsigned(value - least, divisor);
            for (int bit = 0; bit < width; bit++) {
                pending |= (int) (quotient >>> bit & 1) << held;
                if (++held == Byte.SIZE) {
                    packed.out.write(pending);
                    pending = 0;
                    held = 0;
                }
            }
        }
        if (held > 0) {
            packed.out.write(pending);
        }
        return packed.bytes();
    }

    /** Returns the greatest common divisor, by Euclid's algorithm. */
    private static long divisor(long one, long other) {
        long a = one;
        long b = other;
        while (b != 0) {
            long rest = Long.remainderUnsigned(a, b);
            a = b;
            b = rest;
        }
        return a;
    }

    /** Writes texts and absent values: each distinct text once, then its positions. */
    void texts(List<@Nullable String> texts) {
        Map<String, Long> known = new LinkedHashMap<>();
        List<Long> places = new ArrayList<>(texts.size());
        for (String text : texts) {
            places.add(text == null ? 0L : known.computeIfAbsent(text, next -> known.size() + 1L));
        }
        number(known.size());
        known.keySet().forEach(this::text);
        numbers(places);
    }
}
