package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.model.ParameterValues;
import dev.edl.runtime.onnx.OnnxGraph;
import dev.edl.runtime.onnx.OnnxModel;
import dev.edl.runtime.zoo.internal.layers.SplitMix64;
import java.util.Arrays;
import java.util.List;

/**
 * Classifier of dense layers: ReLU after each hidden layer, and softmax with cross-entropy loss at the end.
 *
 * <p>Matrix products run on the ND4J backend into memory that is allocated once. Everything else runs in Java loops; no
 * graph is interpreted. Without hidden layers it is multinomial logistic regression.
 *
 * <pre>{@code
 * Mlp digits = Mlp.of(64, 32, 10);      // 64 features, 32 hidden units, 10 classes
 * digits.layout();                        // [dense/kernel[64, 32], dense/bias[32], dense_1/kernel[32, 10], dense_1/bias[10]]
 * }</pre>
 *
 * <p>Kernels are [inputs, outputs] in row-major order. The label of a record is its class index, from 0. Immutable;
 * each worker opens its own session.
 */
public final class Mlp implements OnnxModel {
    private final int[] widths;
    private final ParameterLayout layout;

    private Mlp(int[] widths) {
        this.widths = widths;
        ParameterLayout.Builder builder = ParameterLayout.builder();
        for (int l = 0; l + 1 < widths.length; l++) {
            String name = l == 0 ? "dense" : "dense_" + l;
            builder.add(name + "/kernel", widths[l], widths[l + 1]).add(name + "/bias", widths[l + 1]);
        }
        layout = builder.build();
    }

    /**
     * Returns a network with the given widths.
     *
     * @param features floats of features in one record, at least 1
     * @param hiddenThenClasses the hidden layers' widths, each at least 1, and last the number of classes, at least 2
     * @throws IllegalArgumentException when a width is too small or the classes are missing
     */
    public static Mlp of(int features, int... hiddenThenClasses) {
        int[] widths = new int[hiddenThenClasses.length + 1];
        widths[0] = features;
        System.arraycopy(hiddenThenClasses, 0, widths, 1, hiddenThenClasses.length);
        if (widths.length < 2
                || widths[widths.length - 1] < 2
                || Arrays.stream(widths).anyMatch(w -> w < 1)) {
            throw new IllegalArgumentException("an Mlp needs at least 1 feature, 1 unit in each hidden layer and, last,"
                    + " 2 classes, for example Mlp.of(64, 32, 10), was " + Arrays.toString(widths));
        }
        return new Mlp(widths);
    }

    @Override
    public ParameterLayout layout() {
        return layout;
    }

    @Override
    public int features() {
        return widths[0];
    }

    @Override
    public int labels() {
        return 1;
    }

    /** Returns the number of classes. */
    @Override
    public int outputs() {
        return widths[widths.length - 1];
    }

    /**
     * Writes kernels uniform in +-sqrt(6 / (inputs + outputs)), and biases 0; without a hidden layer, all 0.
     *
     * <p>The bound is that of Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural
     * networks", 2010. The loss of a logistic regression is convex, so it needs no random start.
     */
    @Override
    public void initialize(float[] parameters, long seed) {
        if (parameters.length != layout.size()) {
            throw new IllegalArgumentException(
                    this + ": the parameters must have " + layout.size() + " floats, was " + parameters.length);
        }
        SplitMix64 random = new SplitMix64(seed);
        for (Parameter p : layout.parameters()) {
            boolean kernel = p.shape().size() == 2 && widths.length > 2;
            float limit = kernel
                    ? (float) Math.sqrt(6.0 / (p.shape().get(0) + p.shape().get(1)))
                    : 0;
            for (int i = p.offset(); i < p.end(); i++) {
                parameters[i] = kernel ? (2 * random.nextFloat() - 1) * limit : 0;
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>From the first session on, each ND4J operation of this JVM uses one thread, so N workers use N cores: see
     * {@link Backend#oneThreadPerWorker()}.
     *
     * @throws MissingBackendException when there is no ND4J backend
     */
    @Override
    public Session open(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException(this + ": a session's capacity must be at least 1, was " + capacity);
        }
        Backend.oneThreadPerWorker();
        return new MlpSession(this, capacity);
    }

    @Override
    public String addTo(OnnxGraph graph, String features, ParameterValues trained) {
        OnnxLayers layers = new OnnxLayers(graph, layout, trained.weights());
        String values = features;
        for (int l = 0; l + 1 < widths.length; l++) {
            values = layers.dense(values, l == 0 ? "dense" : "dense_" + l);
            if (l + 2 < widths.length) {
                values = graph.node("Relu", List.of(values));
            }
        }
        return layers.softmax(values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Mlp that && Arrays.equals(widths, that.widths);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(widths);
    }

    /** Returns, for example, {@code Mlp[784, 128, 10]}. */
    @Override
    public String toString() {
        return "Mlp" + Arrays.toString(widths);
    }
}
