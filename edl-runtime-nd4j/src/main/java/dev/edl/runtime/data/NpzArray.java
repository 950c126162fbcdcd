package dev.edl.runtime.data;

import java.util.Arrays;
import java.util.List;

/**
 * A named array of 32-bit floats in row-major order, as it stands in an {@code .npz} file. Immutable.
 *
 * <pre>{@code
 * NpzArray.of("dense/kernel", values, 64, 10);
 * }</pre>
 */
public final class NpzArray {
    private final String name;
    private final List<Integer> shape;
    private final float[] values;

    private NpzArray(String name, List<Integer> shape, float[] values) {
        this.name = name;
        this.shape = List.copyOf(shape);
        this.values = values;
    }

    /**
     * An array of copied values.
     *
     * @param name not blank; a slash is fine
     * @param values row-major, as many as the product of the shape
     * @param shape the dimensions, outermost first, each at least 0; none for a scalar
     */
    public static NpzArray of(String name, float[] values, int... shape) {
        return of(name, values, Arrays.stream(shape).boxed().toList());
    }

    /** See {@link #of(String, float[], int...)}. */
    public static NpzArray of(String name, float[] values, List<Integer> shape) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an array's name must not be blank, for example \"dense/kernel\"");
        }
        if (shape.stream().anyMatch(d -> d < 0)) {
            throw new IllegalArgumentException(
                    "array \"" + name + "\": every dimension must be at least 0, was " + shape);
        }
        long length = shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
        if (length != values.length) {
            throw new IllegalArgumentException("array \"" + name + "\": the shape " + shape + " asks for " + length
                    + " values, was " + values.length);
        }
        return new NpzArray(name, shape, values.clone());
    }

    /** What it is called in the file, without the ending {@code .npy}. */
    public String name() {
        return name;
    }

    /** The dimensions, outermost first. */
    public List<Integer> shape() {
        return shape;
    }

    /** The values, row-major; a copy. */
    public float[] values() {
        return values.clone();
    }

    /** The array itself, not to be written. */
    float[] shared() {
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NpzArray that
                && name.equals(that.name)
                && shape.equals(that.shape)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * name.hashCode() + shape.hashCode()) + Arrays.hashCode(values);
    }

    /** For example {@code dense/kernel[64, 10]}. */
    @Override
    public String toString() {
        return name + shape;
    }
}
