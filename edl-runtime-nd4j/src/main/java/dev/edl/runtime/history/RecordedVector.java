package dev.edl.runtime.history;

import dev.edl.runtime.ps.rows.Fingerprint;
import java.util.Arrays;

/** Immutable vector that is recorded for the replay of a run: a gradient, or a shard's first weights. */
public final class RecordedVector {
    private final float[] values;

    private RecordedVector(float[] values) {
        this.values = values;
    }

    /** Returns a copy of a vector. */
    public static RecordedVector copyOf(float[] values) {
        return new RecordedVector(values.clone());
    }

    /** Wraps an array without a copy. */
    static RecordedVector over(float[] values) {
        return new RecordedVector(values);
    }

    /** Returns the number of floats. */
    public int size() {
        return values.length;
    }

    /** Returns a copy of the vector. */
    public float[] toArray() {
        return values.clone();
    }

    /** Returns the fingerprint of the floats' bits, as events have it. */
    public long fingerprint() {
        return Fingerprint.of(values, 0, values.length);
    }

    /** Returns the internal array, which must not be modified. */
    float[] values() {
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordedVector that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** Returns text for people, for example {@code 650 floats, 1f2e3d4c5b6a7988}; the number is their fingerprint. */
    @Override
    public String toString() {
        return values.length + " floats, " + String.format("%016x", fingerprint());
    }
}
