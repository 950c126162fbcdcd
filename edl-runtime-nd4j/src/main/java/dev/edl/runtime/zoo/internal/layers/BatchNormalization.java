package dev.edl.runtime.zoo.internal.layers;

import java.util.Arrays;

/**
 * Batch normalization (Ioffe and Szegedy, 2015) of channels, as in Keras.
 *
 * <p>The formula is {@code y = gamma (x - mean) / sqrt(variance + epsilon) + beta}. Training uses the biased variance
 * of the batch, predictions use moving averages.
 *
 * <p>Values come in planes whose floats alternate between channels. Values of a channel are repeated in lanes, once for
 * each float of a plane, so that loops have one index.
 */
public final class BatchNormalization {
    /** Default of Keras for the number that is added to the variance. */
    public static final double EPSILON = 1e-3;
    /** Default of Keras for the share of a moving average that remains at each step. */
    public static final double MOMENTUM = 0.99;

    private final int channels;
    private final double[] mean;
    private final double[] variance;
    private final double[] sums;
    private final double[] products;
    private final float[] meanLanes;
    /** Value of gamma / sqrt(variance + epsilon) for each float of a plane. */
    private final float[] scaleLanes;
    /** Value of beta - mean * scale for each float of a plane. */
    private final float[] shiftLanes;

    private final float[] sumLanes;
    private final float[] productLanes;
    /**
     * Constant for each float of a plane, where the gradient with respect to an input x is scale * dy + constant +
     * slope * x.
     */
    private final float[] constantLanes;

    private final float[] slopeLanes;
    private long values;
    private boolean falls;

    /**
     * Allocates the buffers of a layer.
     *
     * @param lanes number of floats in the largest plane, a multiple of the channels
     */
    BatchNormalization(int channels, int lanes) {
        this.channels = channels;
        mean = new double[channels];
        variance = new double[channels];
        sums = new double[channels];
        products = new double[channels];
        meanLanes = new float[lanes];
        scaleLanes = new float[lanes];
        shiftLanes = new float[lanes];
        sumLanes = new float[lanes];
        productLanes = new float[lanes];
        constantLanes = new float[lanes];
        slopeLanes = new float[lanes];
    }

    /** Returns whether gamma is negative for some channel, so that the normalized value falls when the input rises. */
    boolean falls() {
        return falls;
    }

    /** Returns gamma / sqrt(variance + epsilon), once for each float of a plane. */
    float[] scale() {
        return scaleLanes;
    }

    /** Normalizes the first n values of {@code x} into {@code y}. */
    void apply(float[] x, float[] y, int n) {
        apply(x, scaleLanes, shiftLanes, y, n);
    }

    private static void apply(float[] x, float[] scale, float[] shift, float[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = scale[i] * x[i] + shift[i];
        }
    }

    /**
     * Computes the statistics of a batch from planes by block; {@code lengths} are the floats in use in a block's
     * planes.
     */
    public void measure(float[][][] blocks, int[] lengths, int count) {
        Arrays.fill(sumLanes, 0);
        values = 0;
        for (int b = 0; b < count; b++) {
            for (float[] plane : blocks[b]) {
                add(plane, sumLanes, lengths[b]);
                values += lengths[b] / channels;
            }
        }
        sumLanes(sumLanes, 1.0 / values, mean);
        spread(mean, meanLanes);
        Arrays.fill(sumLanes, 0);
        for (int b = 0; b < count; b++) {
            for (float[] plane : blocks[b]) {
                addSquares(plane, meanLanes, sumLanes, lengths[b]);
            }
        }
        sumLanes(sumLanes, 1.0 / values, variance);
    }

    /** Takes the moving averages among the parameters as mean and variance, instead of the statistics of a batch. */
    public void assume(float[] parameters, int movingMean, int movingVariance) {
        for (int c = 0; c < channels; c++) {
            mean[c] = parameters[movingMean + c];
            variance[c] = parameters[movingVariance + c];
        }
    }

    /** Computes scale and shift from gamma, beta, and the mean and variance. */
    public void load(float[] parameters, int gamma, int beta) {
        falls = false;
        for (int c = 0; c < channels; c++) {
            falls |= parameters[gamma + c] < 0;
            double scale = parameters[gamma + c] * inverse(c);
            scaleLanes[c] = (float) scale;
            shiftLanes[c] = (float) (parameters[beta + c] - mean[c] * scale);
        }
        repeat(scaleLanes);
        repeat(shiftLanes);
    }

    /** Writes the change of the moving averages: (1 - momentum) of the way to the batch's statistics. */
    public void movingChange(float[] parameters, float[] change, int movingMean, int movingVariance) {
        for (int c = 0; c < channels; c++) {
            change[movingMean + c] = (float) ((1 - MOMENTUM) * (mean[c] - parameters[movingMean + c]));
            change[movingVariance + c] = (float) ((1 - MOMENTUM) * (variance[c] - parameters[movingVariance + c]));
        }
    }

    /** Sets the sums of the gradients to 0, before the first {@link #addGradient} of a batch. */
    void startGradient() {
        Arrays.fill(sumLanes, 0);
        Arrays.fill(productLanes, 0);
    }

    /**
     * Adds each gradient dy to its channel's sum of gradients, and dy * (x - mean) to the channel's sum of products.
     * Uses the mean of {@link #measure}. Outputs whose gradient is 0 may be omitted.
     *
     * @param dy gradients of this layer's outputs
     * @param x inputs of those outputs, before normalization
     * @param n number of floats to add, at most those of the largest plane
     */
    void addGradient(float[] dy, float[] x, int n) {
        add(dy, sumLanes, n);
        addProducts(dy, x, meanLanes, productLanes, n);
    }

    /** Writes the gradients of gamma and beta, after all calls of {@link #addGradient}. */
    public void finishGradient(float[] gradient, int gamma, int beta) {
        sumLanes(sumLanes, 1, sums);
        sumLanes(productLanes, 1, products);
        for (int c = 0; c < channels; c++) {
            double slope = -scaleLanes[c] * inverse(c) * inverse(c) * products[c] / values;
            gradient[gamma + c] = (float) (products[c] * inverse(c));
            gradient[beta + c] = (float) sums[c];
            slopeLanes[c] = (float) slope;
            constantLanes[c] = (float) (-scaleLanes[c] * sums[c] / values - mean[c] * slope);
        }
        repeat(slopeLanes);
        repeat(constantLanes);
    }

    /**
     * Overwrites inputs, which are the outputs of a rectifier, with the gradients before that rectifier; call
     * {@link #finishGradient} first.
     *
     * @param dy gradients of this layer's outputs
     */
    void backward(float[] dy, float[] x, int n) {
        backward(dy, scaleLanes, constantLanes, slopeLanes, x, n);
    }

    private static void backward(float[] dy, float[] scale, float[] constant, float[] slope, float[] x, int n) {
        for (int i = 0; i < n; i++) {
            x[i] = Relu.positive(x[i]) * (scale[i] * dy[i] + constant[i] + slope[i] * x[i]);
        }
    }

    private double inverse(int channel) {
        return 1 / Math.sqrt(variance[channel] + EPSILON);
    }

    private static void add(float[] x, float[] sums, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += x[i];
        }
    }

    private static void addSquares(float[] x, float[] means, float[] sums, int n) {
        for (int i = 0; i < n; i++) {
            float d = x[i] - means[i];
            sums[i] += d * d;
        }
    }

    private static void addProducts(float[] dy, float[] x, float[] means, float[] sums, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += dy[i] * (x[i] - means[i]);
        }
    }

    private void sumLanes(float[] lanes, double share, double[] into) {
        Arrays.fill(into, 0);
        for (int i = 0; i < lanes.length; i += channels) {
            for (int c = 0; c < channels; c++) {
                into[c] += lanes[i + c];
            }
        }
        for (int c = 0; c < channels; c++) {
            into[c] *= share;
        }
    }

    private void spread(double[] from, float[] lanes) {
        for (int c = 0; c < channels; c++) {
            lanes[c] = (float) from[c];
        }
        repeat(lanes);
    }

    /** Copies the values of the channels, at the front of the array, to the rest of the array repeatedly. */
    private void repeat(float[] lanes) {
        for (int i = channels; i < lanes.length; i += channels) {
            System.arraycopy(lanes, 0, lanes, i, channels);
        }
    }
}
