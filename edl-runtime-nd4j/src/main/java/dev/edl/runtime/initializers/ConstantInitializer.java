package dev.edl.runtime.initializers;

import java.util.Arrays;

/** Initializer with one value for all floats; see {@link Initializer#constant}. */
final class ConstantInitializer extends Initializer {
    private final float value;

    ConstantInitializer(float value) {
        if (!Float.isFinite(value)) {
            throw new IllegalArgumentException(
                    "constant: value must be finite, was " + value + "; for example constant:value=0.5");
        }
        // Removes the sign of a negative zero, whose text form would not parse as zeros.
        this.value = value + 0f;
    }

    @Override
    public void fill(float[] into, int offset, int dimension, long seed, long id) {
        Arrays.fill(into, offset, offset + dimension, value);
    }

    @Override
    public String toString() {
        return value == 0 ? "zeros" : value == 1 ? "ones" : "constant:value=" + value;
    }
}
