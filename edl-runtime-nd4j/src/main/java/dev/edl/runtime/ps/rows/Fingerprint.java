package dev.edl.runtime.ps.rows;

/**
 * A 64-bit hash of the bits of some values. Equal values have equal hashes; different values collide with a probability
 * of about 1 in 2<sup>64</sup>. No protection against deliberate collisions.
 *
 * <p>A polynomial in the values' bits, modulo 2<sup>64</sup>, over four interleaved chains that can be computed in
 * parallel. Values are hashed by their bits: 0 and -0 differ.
 *
 * <pre>{@code
 * long print = Fingerprint.of(gradient, range.offset(), range.end());
 * long both = Fingerprint.and(print, Fingerprint.of(more, 0, more.length));
 * }</pre>
 */
public final class Fingerprint {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private Fingerprint() {}

    /** Returns the hash of {@code values[from..to)}. It does not depend on the position of the range in the array. */
    public static long of(float[] values, int from, int to) {
        long a = 1;
        long b = 2;
        long c = 3;
        long d = 4;
        int i = from;
        for (; i + 3 < to; i += 4) {
            a = a * FACTOR + Float.floatToRawIntBits(values[i]);
            b = b * FACTOR + Float.floatToRawIntBits(values[i + 1]);
            c = c * FACTOR + Float.floatToRawIntBits(values[i + 2]);
            d = d * FACTOR + Float.floatToRawIntBits(values[i + 3]);
        }
        for (; i < to; i++) {
            a = a * FACTOR + Float.floatToRawIntBits(values[i]);
        }
        return and(and(and(and(a, b), c), d), to - from);
    }

    /** Combines a hash with the next number, which may be another hash. The order matters. */
    public static long and(long fingerprint, long next) {
        long x = (fingerprint ^ (fingerprint >>> 32)) * FACTOR + next;
        x = (x ^ (x >>> 29)) * 0xBF58476D1CE4E5B9L;
        return x ^ (x >>> 32);
    }
}
