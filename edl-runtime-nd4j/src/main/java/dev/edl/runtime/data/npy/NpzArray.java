package dev.edl.runtime.data.npy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Immutable named array of an {@code .npz} or {@code .safetensors} file: 32-bit floats, 64-bit floats or 64-bit
 * whole numbers, row-major.
 *
 * <pre>{@code
 * NpzArray.of("dense/kernel", values, 64, 10);
 * NpzArray.of("fm/vectors/ids", new long[] {3, 17}, 2);
 * }</pre>
 */
public final class NpzArray {
    private final String name;
    private final List<Integer> shape;
    private final float[] values;
    private final double @Nullable [] doubles;
    private final long @Nullable [] longs;

    private NpzArray(
            String name, List<Integer> shape, float[] values, double @Nullable [] doubles, long @Nullable [] longs) {
        this.name = name;
        this.shape = List.copyOf(shape);
        this.values = values;
        this.doubles = doubles;
        this.longs = longs;
    }

    /**
     * Returns an array of copied values.
     *
     * @param name not blank; may contain a slash
     * @param values row-major, as many as the product of the shape
     * @param shape the dimensions, outermost first, each at least 0; none for a scalar
     */
    public static NpzArray of(String name, float[] values, int... shape) {
        return of(name, values, Arrays.stream(shape).boxed().toList());
    }

    /** Returns an array of copied values; see {@link #of(String, float[], int...)}. */
    public static NpzArray of(String name, float[] values, List<Integer> shape) {
        requireShape(name, values.length, shape);
        return new NpzArray(name, shape, values.clone(), null, null);
    }

    /** Returns an array of copied 64-bit floats, {@code float64} in NumPy. See {@link #of(String, float[], int...)}. */
    public static NpzArray of(String name, double[] values, int... shape) {
        return of(name, values, Arrays.stream(shape).boxed().toList());
    }

    /** Returns an array of copied 64-bit floats; see {@link #of(String, double[], int...)}. */
    public static NpzArray of(String name, double[] values, List<Integer> shape) {
        requireShape(name, values.length, shape);
        return new NpzArray(name, shape, new float[0], values.clone(), null);
    }

    /** Returns an array of copied whole numbers, {@code int64} in NumPy. See {@link #of(String, float[], int...)}. */
    public static NpzArray of(String name, long[] values, int... shape) {
        return of(name, values, Arrays.stream(shape).boxed().toList());
    }

    /** Returns an array of copied whole numbers; see {@link #of(String, long[], int...)}. */
    public static NpzArray of(String name, long[] values, List<Integer> shape) {
        requireShape(name, values.length, shape);
        return new NpzArray(name, shape, new float[0], null, values.clone());
    }

    private static void requireShape(String name, int count, List<Integer> shape) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an array's name must not be blank, for example \"dense/kernel\"");
        }
        if (shape.stream().anyMatch(d -> d < 0)) {
            throw new IllegalArgumentException(
                    "array \"" + name + "\": every dimension must be at least 0, was " + shape);
        }
        long length = shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
        if (length != count) {
            throw new IllegalArgumentException(
                    "array \"" + name + "\": the shape " + shape + " needs " + length + " values, was " + count);
        }
    }

    /** Returns the array's name in the file, without the ending {@code .npy}. */
    public String name() {
        return name;
    }

    /** Returns the dimensions, outermost first. */
    public List<Integer> shape() {
        return shape;
    }

    /** Returns whether the array has 64-bit whole numbers. */
    public boolean isLong() {
        return longs != null;
    }

    /** Returns whether the array has 64-bit floats. */
    public boolean isDouble() {
        return doubles != null;
    }

    /**
     * Returns a copy of the array's 32-bit floats, row-major.
     *
     * @throws IllegalStateException when the array has elements of another type
     */
    public float[] values() {
        return shared().clone();
    }

    /**
     * Returns a copy of the array's floats of 32 or 64 bits as 64-bit floats, row-major.
     *
     * @throws IllegalStateException when the array has whole numbers
     */
    public double[] doubles() {
        if (doubles != null) {
            return doubles.clone();
        }
        float[] floats = shared();
        return IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray();
    }

    /**
     * Returns a copy of the array's whole numbers, row-major.
     *
     * @throws IllegalStateException when the array has floats
     */
    public long[] longs() {
        return sharedLongs().clone();
    }

    /** Returns the floats themselves, not a copy; callers must not write to them. */
    float[] shared() {
        if (longs != null) {
            throw new IllegalStateException("array \"" + name + "\" holds 64-bit whole numbers; use longs()");
        }
        if (doubles != null) {
            throw new IllegalStateException("array \"" + name + "\" holds 64-bit floats; use doubles(), or save it with"
                    + " numpy.ascontiguousarray(a, dtype='<f4')");
        }
        return values;
    }

    /** Returns the whole numbers themselves, not a copy; callers must not write to them. */
    long[] sharedLongs() {
        if (longs == null) {
            throw new IllegalStateException("array \"" + name + "\" holds "
                    + (doubles == null ? "32-bit floats; use values()" : "64-bit floats; use doubles()"));
        }
        return longs;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NpzArray that
                && name.equals(that.name)
                && shape.equals(that.shape)
                && Arrays.equals(values, that.values)
                && Arrays.equals(doubles, that.doubles)
                && Arrays.equals(longs, that.longs);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * name.hashCode() + shape.hashCode())
                + Arrays.hashCode(values)
                + Arrays.hashCode(doubles)
                + Arrays.hashCode(longs);
    }

    /** Returns, for example, {@code dense/kernel[64, 10]}. */
    @Override
    public String toString() {
        return name + shape;
    }
}
