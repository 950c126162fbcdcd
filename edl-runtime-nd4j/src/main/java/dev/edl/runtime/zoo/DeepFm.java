package dev.edl.runtime.zoo;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.model.ParameterValues;
import dev.edl.runtime.onnx.OnnxGraph;
import dev.edl.runtime.onnx.OnnxModel;
import dev.edl.runtime.zoo.internal.layers.SplitMix64;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Binary classifier of records with ids and numbers, such as clicks on advertisements: DeepFM.
 *
 * <p>It combines a factorization machine and a deep network over the same embedding vectors (Guo, Tang, Ye, Li and He,
 * "DeepFM: A Factorization-Machine based Neural Network for CTR Prediction", IJCAI 2017). Let w be a weight and v a
 * vector for each id, both kept by the parameter servers, and x the numeric features:
 *
 * <pre>
 * logit  = b + sum_f w_f + sum_i a_i x_i + sum_{f &lt; g} v_f v_g + u relu(... relu([v_1 ... v_F, x] K_1 + c_1) ...)
 * output = 1 / (1 + e^-logit), the probability of class 1
 * </pre>
 *
 * <p>The loss is the mean binary cross-entropy. A negative id means none: its weight and vector are 0, and no row
 * learns from it. The same id in two fields is one row.
 *
 * <pre>{@code
 * Model clicks = DeepFm.builder().fields(26).numeric(13).dimension(8).hidden(16, 4).build();
 * clicks.embeddings();      // [fm/weights[*, 1] of ids 0..25, fm/vectors[*, 8] of ids 0..25]
 * }</pre>
 *
 * <p>The defaults of 8 dimensions and hidden layers of 16 and 4 are those of ElasticDL's DeepFM for Criteo's data (13
 * numbers, 26 fields). The label of a record is 0 or 1. Immutable; each worker opens its own session.
 */
public final class DeepFm implements OnnxModel {
    private final int fields;
    private final int numeric;
    private final int dimension;
    private final int[] hidden;
    private final ParameterLayout layout;
    private final List<EmbeddingTable> tables;

    private DeepFm(Builder builder) {
        fields = builder.fields;
        numeric = builder.numeric;
        dimension = builder.dimension;
        hidden = builder.hidden;
        layout = layoutOf(numeric, fields * dimension + numeric, hidden);
        tables = List.of(
                new EmbeddingTable("fm/weights", 1, 0, fields, Initializer.zeros()),
                new EmbeddingTable("fm/vectors", dimension, 0, fields, Initializer.uniform(-0.05f, 0.05f)));
    }

    /** Returns a builder; it requires the number of fields. */
    public static Builder builder() {
        return new Builder();
    }

    private static ParameterLayout layoutOf(int numeric, int width, int[] hidden) {
        ParameterLayout.Builder builder = ParameterLayout.builder().add("bias", 1);
        if (numeric > 0) {
            builder.add("numeric/weights", numeric);
        }
        int inputs = width;
        for (int l = 0; l < hidden.length; l++) {
            String name = l == 0 ? "dense" : "dense_" + l;
            builder.add(name + "/kernel", inputs, hidden[l]).add(name + "/bias", hidden[l]);
            inputs = hidden[l];
        }
        if (hidden.length > 0) {
            builder.add("logit/kernel", inputs, 1);
        }
        return builder.build();
    }

    /**
     * Returns the layout of bias, weights of the numeric features, kernels and biases, without the embedding tables.
     */
    @Override
    public ParameterLayout layout() {
        return layout;
    }

    /** Returns the number of numeric features, at least 0. */
    @Override
    public int features() {
        return numeric;
    }

    /** Returns 1: the label, 0 or 1. */
    @Override
    public int labels() {
        return 1;
    }

    /** Returns the number of fields: the ids in a record. */
    @Override
    public int ids() {
        return fields;
    }

    /**
     * Returns {@code fm/weights}, one float for each id, initially 0, and {@code fm/vectors}, initially uniform from
     * -0.05 to 0.05.
     */
    @Override
    public List<EmbeddingTable> embeddings() {
        return tables;
    }

    /** Returns 1: the probability of class 1. */
    @Override
    public int outputs() {
        return 1;
    }

    int dimension() {
        return dimension;
    }

    /** Returns the number of inputs that the deep network has for one record. */
    int width() {
        return fields * dimension + numeric;
    }

    /**
     * Writes kernels uniform in +-sqrt(6 / (inputs + outputs)), and 0 for everything else.
     *
     * <p>The bound is that of Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural
     * networks", 2010.
     */
    @Override
    public void initialize(float[] parameters, long seed) {
        if (parameters.length != layout.size()) {
            throw new IllegalArgumentException(
                    this + ": the parameters must have " + layout.size() + " floats, was " + parameters.length);
        }
        SplitMix64 random = new SplitMix64(seed);
        Arrays.fill(parameters, 0f);
        for (Parameter p : layout.parameters()) {
            if (p.shape().size() == 2) {
                float limit =
                        (float) Math.sqrt(6.0 / (p.shape().get(0) + p.shape().get(1)));
                for (int i = p.offset(); i < p.end(); i++) {
                    parameters[i] = (2 * random.nextFloat() - 1) * limit;
                }
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Wide layers compute on ND4J, which from then on uses one thread for each operation: see
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
        return new DeepFmSession(this, capacity);
    }

    @Override
    public String addTo(OnnxGraph graph, String features, ParameterValues trained) {
        OnnxLayers layers = new OnnxLayers(graph, layout, trained.weights());
        List<String> terms = new ArrayList<>();
        terms.add(layers.parameter("bias"));
        String weights = layers.rows(IDS, trained.tables().get(0));
        String axes = graph.constant("fm/axes", new long[] {1, 2}, 2);
        terms.add(graph.node("ReduceSum", List.of(weights, axes), Map.of("keepdims", 0L)));
        String vectors = layers.rows(IDS, trained.tables().get(1));
        terms.add(pairs(graph, vectors));
        String deep = layers.reshape(vectors, "fm/shape", -1, (long) fields * dimension);
        if (numeric > 0) {
            String product = graph.node("Mul", List.of(features, layers.parameter("numeric/weights")));
            terms.add(sum(graph, product));
            deep = graph.node("Concat", List.of(deep, features), Map.of("axis", 1L));
        }
        for (int l = 0; l < hidden.length; l++) {
            deep = graph.node("Relu", List.of(layers.dense(deep, l == 0 ? "dense" : "dense_" + l)));
        }
        if (hidden.length > 0) {
            terms.add(sum(graph, graph.node("MatMul", List.of(deep, layers.parameter("logit/kernel")))));
        }
        String logit = graph.node("Sum", terms);
        return layers.reshape(graph.node("Sigmoid", List.of(logit)), "output/shape", -1, 1);
    }

    /** Adds the sum of a record's values: float [batch]. */
    private static String sum(OnnxGraph graph, String values) {
        String axis = graph.constant(values + "/axis", new long[] {1}, 1);
        return graph.node("ReduceSum", List.of(values, axis), Map.of("keepdims", 0L));
    }

    /** Adds the sum over all pairs of fields: half of (sum of v) squared, less the sum of v squared. */
    private static String pairs(OnnxGraph graph, String vectors) {
        String axis = graph.constant("fm/field", new long[] {1}, 1);
        String sum = graph.node("ReduceSum", List.of(vectors, axis), Map.of("keepdims", 0L));
        String squares = graph.node(
                "ReduceSum", List.of(graph.node("Mul", List.of(vectors, vectors)), axis), Map.of("keepdims", 0L));
        String twice = graph.node("Sub", List.of(graph.node("Mul", List.of(sum, sum)), squares));
        String half = graph.constant("fm/half", new float[] {0.5f}, 1);
        return sum(graph, graph.node("Mul", List.of(twice, half)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeepFm that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** Returns, for example, {@code DeepFm[26 fields, 13 numeric, dimension 8, hidden [16, 4]]}. */
    @Override
    public String toString() {
        return "DeepFm[" + fields + " fields, " + numeric + " numeric, dimension " + dimension + ", hidden "
                + Arrays.toString(hidden) + "]";
    }

    /** Builder of a {@link DeepFm}. */
    public static final class Builder {
        private int fields;
        private int numeric;
        private int dimension = 8;
        private int[] hidden = {16, 4};

        private Builder() {}

        /** Sets the number of ids in a record, at least 1. */
        public Builder fields(int number) {
            fields = number;
            return this;
        }

        /** Sets the number of numeric features in a record. Default: 0. */
        public Builder numeric(int number) {
            numeric = number;
            return this;
        }

        /** Sets the number of floats in an id's vector, at least 1. Default: 8. */
        public Builder dimension(int number) {
            dimension = number;
            return this;
        }

        /**
         * Sets the widths of the hidden layers, each at least 1. Default: 16 and 4. Without any width, the model is a
         * factorization machine only.
         */
        public Builder hidden(int... widths) {
            hidden = widths.clone();
            return this;
        }

        /**
         * Builds the model.
         *
         * @throws IllegalArgumentException when a number is too small
         */
        public DeepFm build() {
            if (fields < 1
                    || numeric < 0
                    || dimension < 1
                    || Arrays.stream(hidden).anyMatch(w -> w < 1)) {
                throw new IllegalArgumentException(
                        "a DeepFm needs at least 1 field, 0 numeric features, 1 dimension and"
                                + " 1 unit in each hidden layer, for example"
                                + " DeepFm.builder().fields(26).numeric(13).dimension(8).hidden(16, 4), was fields "
                                + fields
                                + ", numeric " + numeric + ", dimension " + dimension + ", hidden "
                                + Arrays.toString(hidden));
            }
            return new DeepFm(this);
        }
    }
}
