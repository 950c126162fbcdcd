package dev.edl.runtime.model;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Layout of a model's parameters as consecutive ranges of one flat {@code float[]}.
 *
 * <p>Parameters, gradients and optimizer slots are sent and stored as such vectors; the layout gives the ranges their
 * names and shapes. Immutable and safe to share.
 *
 * <pre>{@code
 * ParameterLayout layout = ParameterLayout.builder()
 *     .add("dense/kernel", 64, 10)
 *     .add("dense/bias", 10)
 *     .build();
 * layout.size();                  // 650
 * layout.at(645).name();          // "dense/bias"
 * }</pre>
 */
public final class ParameterLayout {
    private final List<Parameter> parameters;
    private final int size;
    private final int trained;

    private ParameterLayout(List<Parameter> parameters, int trained) {
        this.parameters = List.copyOf(parameters);
        this.trained = trained;
        this.size =
                parameters.isEmpty() ? 0 : parameters.get(parameters.size() - 1).end();
    }

    /** Returns a builder of an empty layout. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the parameters in the order of their offsets. */
    public List<Parameter> parameters() {
        return parameters;
    }

    /** Returns the length of the flat vector, in floats. */
    public int size() {
        return size;
    }

    /**
     * Returns the number of trained floats, which come first in the flat vector.
     *
     * <p>The rest is state that sessions update, such as the moving averages of a batch normalization. The optimizer
     * does not change it.
     */
    public int trained() {
        return trained;
    }

    /**
     * Returns the parameter that contains an element of the flat vector.
     *
     * @throws IndexOutOfBoundsException outside 0 (inclusive) to {@link #size()} (exclusive)
     */
    public Parameter at(int flatIndex) {
        if (flatIndex < 0 || flatIndex >= size) {
            throw new IndexOutOfBoundsException("index " + flatIndex + " is outside the layout of " + size + " floats");
        }
        int low = 0;
        int high = parameters.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (parameters.get(middle).end() <= flatIndex) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return parameters.get(low);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ParameterLayout that && parameters.equals(that.parameters) && trained == that.trained;
    }

    @Override
    public int hashCode() {
        return parameters.hashCode();
    }

    /** Returns, for example, {@code [dense/kernel[64, 10], dense/bias[10]]}. */
    @Override
    public String toString() {
        return parameters.toString();
    }

    /** Builder of a layout; each parameter is placed after the previous one. */
    public static final class Builder {
        /** Length of the longest array that any JVM can allocate. */
        private static final int MOST = Integer.MAX_VALUE - 8;

        private final List<Parameter> parameters = new ArrayList<>();
        private int state;

        private Builder() {}

        /**
         * Appends a parameter.
         *
         * @param name unique within the layout
         * @param shape dimensions, outermost first, each at least 1
         */
        public Builder add(String name, int... shape) {
            if (state > 0) {
                throw new IllegalArgumentException("parameter \"" + name + "\" must be added before all state");
            }
            place(name, shape);
            return this;
        }

        /**
         * Appends state: floats that the optimizer does not train.
         *
         * <p>A session writes the change that it requests where the gradient of the state would be. The parameter
         * servers add the change, regardless of the optimizer; in a synchronous round of several workers they add the
         * mean of the changes.
         *
         * @param name unique within the layout
         * @param shape dimensions, outermost first, each at least 1
         */
        public Builder addState(String name, int... shape) {
            place(name, shape);
            state++;
            return this;
        }

        private void place(String name, int... shape) {
            if (parameters.stream().anyMatch(p -> p.name().equals(name))) {
                throw new IllegalArgumentException("parameter \"" + name + "\" is in the layout already");
            }
            int offset = parameters.isEmpty()
                    ? 0
                    : parameters.get(parameters.size() - 1).end();
            List<Integer> dimensions = new ArrayList<>(shape.length);
            for (int d : shape) {
                dimensions.add(d);
            }
            Parameter parameter = new Parameter(name, dimensions, offset);
            BigInteger all = parameter.shape().stream()
                    .map(BigInteger::valueOf)
                    .reduce(BigInteger.ONE, BigInteger::multiply)
                    .add(BigInteger.valueOf(offset));
            if (all.compareTo(BigInteger.valueOf(MOST)) > 0) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "parameter %s brings the model to %,d parameters, %,d GiB as 32-bit floats; a model has at most"
                                + " %,d, which are one array: make a layer smaller, or use an embedding table for"
                                + " parameters that are looked up by id",
                        parameter,
                        all,
                        all.shiftRight(28),
                        MOST));
            }
            parameters.add(parameter);
        }

        /** Builds the layout. */
        public ParameterLayout build() {
            int trainable = parameters.size() - state;
            return new ParameterLayout(
                    parameters,
                    trainable == 0 ? 0 : parameters.get(trainable - 1).end());
        }
    }
}
