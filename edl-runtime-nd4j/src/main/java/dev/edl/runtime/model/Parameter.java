package dev.edl.runtime.model;

import java.util.Arrays;
import java.util.List;

/**
 * Named tensor of a model and its position in the flat parameter vector.
 *
 * @param name name of the parameter, unique within its layout, for example {@code dense_1/kernel}
 * @param shape the dimensions, outermost first; elements are in row-major (c) order; empty for a scalar
 * @param offset index of this tensor's first element in the flat vector
 */
public record Parameter(String name, List<Integer> shape, int offset) {
    /** Copies the shape and checks that every dimension is positive and the offset is not negative. */
    public Parameter {
        shape = List.copyOf(shape);
        if (name.isBlank()) {
            throw new IllegalArgumentException("a parameter's name must not be blank, for example \"dense/kernel\"");
        }
        if (shape.stream().anyMatch(d -> d < 1)) {
            throw new IllegalArgumentException(
                    "parameter \"" + name + "\": every dimension must be at least 1, was " + shape);
        }
        if (offset < 0) {
            throw new IllegalArgumentException("parameter \"" + name + "\": offset must be at least 0, was " + offset);
        }
    }

    /** Returns the number of elements: the product of the shape, 1 for a scalar. */
    public int length() {
        return shape.stream().reduce(1, Math::multiplyExact);
    }

    /** Returns the index after this tensor's last element in the flat vector. */
    public int end() {
        return Math.addExact(offset, length());
    }

    /** Returns, for example, {@code dense/kernel[64, 10]}. */
    @Override
    public String toString() {
        return name + Arrays.toString(shape.toArray());
    }
}
