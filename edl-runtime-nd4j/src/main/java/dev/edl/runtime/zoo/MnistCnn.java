package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.model.ParameterValues;
import dev.edl.runtime.onnx.OnnxGraph;
import dev.edl.runtime.onnx.OnnxModel;
import dev.edl.runtime.zoo.internal.layers.BatchNormalization;
import dev.edl.runtime.zoo.internal.layers.SplitMix64;
import java.util.List;
import java.util.Map;

/**
 * Convolutional network that ElasticDL's model zoo trains on MNIST, with 111,114 trained parameters.
 *
 * <p>3 x 3 convolution to 32 channels, ReLU; 3 x 3 convolution to 64 channels, ReLU; batch normalization; 2 x 2
 * maximum; dropout of a quarter; dense layer to 10 classes; softmax with cross-entropy loss. Padding is valid, so
 * images shrink from 28 x 28 to 26, 24 and 12. A record is 784 floats, row after row, and one label, the digit.
 *
 * <pre>{@code
 * Model digits = new MnistCnn();
 * digits.layout().trained();              // 111114
 * }</pre>
 *
 * <p>Parameters have the names, shapes and initial values of Keras: kernels are [height, width, in, out]. The moving
 * mean and variance of the normalization, 128 floats, are {@linkplain ParameterLayout#trained() state}. Each step moves
 * them a hundredth of the way to its batch's statistics, and predictions use them.
 *
 * <p>The dropout mask depends on {@link dev.edl.runtime.model.Batch#seed()} alone. A splitmix64 generator is seeded by the
 * first output of one that is seeded by the batch. Value i, of 9,216 for each record in order, uses bits 16 (i % 4) to
 * 16 (i % 4) + 15 of its output i / 4. The value is kept if these bits are at least 65,536 times the rate.
 *
 * <p>The second convolution, 97 % of the multiplications, runs as minimal filtering F(4 x 4, 3 x 3). Results therefore
 * differ from those of its definition by about 1e-6 of their size. Immutable; each worker opens its own session, which
 * takes about 650 kB for each record of its capacity.
 */
public final class MnistCnn implements OnnxModel {
    static final int SIDE = 28;
    static final int CLASSES = 10;
    static final int CHANNELS = 32;
    static final int FILTERS = 64;
    static final int OUTPUT_SIDE = SIDE - 4;
    static final int FEATURES = OUTPUT_SIDE / 2 * OUTPUT_SIDE / 2 * FILTERS;
    /** Share of values that ElasticDL's model zoo drops in training. */
    static final double DROPOUT = 0.25;

    private static final ParameterLayout LAYOUT = ParameterLayout.builder()
            .add("conv2d/kernel", 3, 3, 1, CHANNELS)
            .add("conv2d/bias", CHANNELS)
            .add("conv2d_1/kernel", 3, 3, CHANNELS, FILTERS)
            .add("conv2d_1/bias", FILTERS)
            .add("batch_normalization/gamma", FILTERS)
            .add("batch_normalization/beta", FILTERS)
            .add("dense/kernel", FEATURES, CLASSES)
            .add("dense/bias", CLASSES)
            .addState("batch_normalization/moving_mean", FILTERS)
            .addState("batch_normalization/moving_variance", FILTERS)
            .build();

    private final double dropout;

    /** Creates the network of the zoo, with dropout of a quarter. */
    public MnistCnn() {
        this(DROPOUT);
    }

    private MnistCnn(double dropout) {
        this.dropout = dropout;
    }

    /**
     * Returns the network with another dropout rate.
     *
     * @param rate the share of values that training drops, from 0 (inclusive: no dropout) to 1 (exclusive); it is
     *     rounded to a multiple of 1/65536
     * @throws IllegalArgumentException when the rate is outside that range
     */
    public static MnistCnn withDropout(double rate) {
        if (!(rate >= 0 && rate < 1)) {
            throw new IllegalArgumentException(
                    "the rate of dropout must be at least 0 and less than 1, for example 0.25, was " + rate);
        }
        return new MnistCnn(rate);
    }

    /** Returns the share of values that training drops. */
    public double dropout() {
        return dropout;
    }

    @Override
    public ParameterLayout layout() {
        return LAYOUT;
    }

    /** Returns 784, an image row after row. */
    @Override
    public int features() {
        return SIDE * SIDE;
    }

    /** Returns 1, the digit. */
    @Override
    public int labels() {
        return 1;
    }

    /** Returns 10, the digits' probabilities. */
    @Override
    public int outputs() {
        return CLASSES;
    }

    /**
     * Writes kernels uniform in +-sqrt(6 / (inputs + outputs)), gamma and moving variance 1, and 0 for everything else.
     *
     * <p>The bound is that of Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural
     * networks", 2010; a convolution counts each of its nine positions.
     */
    @Override
    public void initialize(float[] parameters, long seed) {
        if (parameters.length != LAYOUT.size()) {
            throw new IllegalArgumentException(
                    this + ": the parameters must have " + LAYOUT.size() + " floats, was " + parameters.length);
        }
        SplitMix64 random = new SplitMix64(seed);
        for (Parameter p : LAYOUT.parameters()) {
            boolean kernel = p.shape().size() > 1;
            float limit = kernel ? glorot(p) : 0;
            float constant = p.name().endsWith("gamma") || p.name().endsWith("variance") ? 1 : 0;
            for (int i = p.offset(); i < p.end(); i++) {
                parameters[i] = kernel ? (2 * random.nextFloat() - 1) * limit : constant;
            }
        }
    }

    private static float glorot(Parameter kernel) {
        int outputs = kernel.shape().get(kernel.shape().size() - 1);
        int inputs = kernel.length() / outputs;
        int places = kernel.shape().size() == 4 ? 9 : 1;
        return (float) Math.sqrt(6.0 / (inputs + places * outputs));
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
        return new MnistCnnSession(this, capacity);
    }

    @Override
    public String addTo(OnnxGraph graph, String features, ParameterValues trained) {
        OnnxLayers layers = new OnnxLayers(graph, LAYOUT, trained.weights());
        String image = layers.reshape(features, "image/shape", -1, 1, SIDE, SIDE);
        String first = graph.node("Relu", List.of(layers.convolution(image, "conv2d")));
        String second = graph.node("Relu", List.of(layers.convolution(first, "conv2d_1")));
        String normal = graph.node(
                "BatchNormalization",
                List.of(
                        second,
                        layers.parameter("batch_normalization/gamma"),
                        layers.parameter("batch_normalization/beta"),
                        layers.parameter("batch_normalization/moving_mean"),
                        layers.parameter("batch_normalization/moving_variance")),
                Map.of("epsilon", (float) BatchNormalization.EPSILON));
        String pooled = graph.node(
                "MaxPool", List.of(normal), Map.of("kernel_shape", List.of(2L, 2L), "strides", List.of(2L, 2L)));
        // EDL has the channels of a place side by side.
        String places = graph.node("Transpose", List.of(pooled), Map.of("perm", List.of(0L, 2L, 3L, 1L)));
        return layers.softmax(layers.dense(layers.reshape(places, "pool/shape", -1, FEATURES), "dense"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MnistCnn that && dropout == that.dropout;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(dropout);
    }

    /** Returns, for example, {@code MnistCnn[784, 10, dropout 0.25]}. */
    @Override
    public String toString() {
        return "MnistCnn[784, 10, dropout " + dropout + "]";
    }
}
