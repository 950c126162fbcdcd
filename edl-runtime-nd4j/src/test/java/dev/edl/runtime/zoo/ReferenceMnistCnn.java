package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import java.util.Arrays;

/** Loss of the MNIST CNN in double precision, by the definition of each layer. */
final class ReferenceMnistCnn {
    // Where parameters start: 3*3*1*32, 32, 3*3*32*64, 64, 64, 64, 9216*10, 10, then 64 and 64 of state.
    static final int BIAS_1 = 288;
    static final int KERNEL_2 = 320;
    static final int BIAS_2 = 18_752;
    static final int GAMMA = 18_816;
    static final int BETA = 18_880;
    static final int DENSE = 18_944;
    static final int DENSE_BIAS = 111_104;
    static final int MOVING_MEAN = 111_114;
    static final int MOVING_VARIANCE = 111_178;
    static final int SIZE = 111_242;

    private final int records;
    private final double[] images;
    private final int[] labels;
    private final double[] mask;
    private double nearest;
    final double[] mean = new double[64];
    final double[] variance = new double[64];

    /** {@code mask} has the dropout factor of each value. */
    ReferenceMnistCnn(Batch batch, double[] mask) {
        records = batch.size();
        images = new double[records * 784];
        labels = new int[records];
        for (int i = 0; i < images.length; i++) {
            images[i] = batch.features()[i];
        }
        for (int r = 0; r < records; r++) {
            labels[r] = (int) batch.labels()[r];
        }
        this.mask = mask;
    }

    /**
     * Returns the distance to the nearest value with another decision: the sign in a rectifier, or the choice in
     * pooling. Smaller rounding errors leave the gradient continuous.
     */
    double margin(double[] p) {
        nearest = Double.MAX_VALUE;
        double[] x = convolved(p);
        for (int i = 0; i < records * 9216; i++) {
            double[] four = new double[4];
            for (int k = 0; k < 4; k++) {
                four[k] = x[place(i, k)];
            }
            Arrays.sort(four);
            boolean falls = p[GAMMA + i % 64] < 0;
            double chosen = falls ? four[0] : four[3];
            double next = falls ? four[1] : four[2];
            // Among zeros the choice does not matter: the rectifier stops the gradient.
            nearest = chosen == 0 && next == 0 ? nearest : Math.min(nearest, Math.abs(chosen - next));
        }
        return nearest;
    }

    double loss(double[] p) {
        double[] x = convolved(p);
        statistics(x);
        double[] scores = scores(pooled(x, mean, variance, p), mask, p);
        double loss = 0;
        for (int r = 0; r < records; r++) {
            double sum = 0;
            for (int c = 0; c < 10; c++) {
                sum += Math.exp(scores[r * 10 + c]);
            }
            loss += Math.log(sum) - scores[r * 10 + labels[r]];
        }
        return loss / records;
    }

    double[] probabilities(double[] p) {
        double[] movingMean = Arrays.copyOfRange(p, MOVING_MEAN, MOVING_VARIANCE);
        double[] movingVariance = Arrays.copyOfRange(p, MOVING_VARIANCE, SIZE);
        double[] all = new double[records * 9216];
        Arrays.fill(all, 1);
        double[] result = scores(pooled(convolved(p), movingMean, movingVariance, p), all, p);
        for (int r = 0; r < records; r++) {
            double sum = 0;
            for (int c = 0; c < 10; c++) {
                result[r * 10 + c] = Math.exp(result[r * 10 + c]);
                sum += result[r * 10 + c];
            }
            for (int c = 0; c < 10; c++) {
                result[r * 10 + c] /= sum;
            }
        }
        return result;
    }

    private double[] convolved(double[] p) {
        double[] hidden = convolution(images, 28, 1, 32, p, 0, BIAS_1);
        return convolution(hidden, 26, 32, 64, p, KERNEL_2, BIAS_2);
    }

    private double[] convolution(double[] x, int side, int in, int out, double[] p, int kernel, int bias) {
        int small = side - 2;
        double[] y = new double[records * small * small * out];
        for (int i = 0; i < records * small * small; i++) {
            int row = i / small % small;
            int column = i % small;
            for (int f = 0; f < out; f++) {
                y[i * out + f] = p[bias + f];
            }
            for (int k = 0; k < 9; k++) {
                int pixel = (i / small / small * side + row + k / 3) * side + column + k % 3;
                for (int c = 0; c < in; c++) {
                    double value = x[pixel * in + c];
                    for (int f = 0; f < out; f++) {
                        y[i * out + f] += value * p[kernel + (k * in + c) * out + f];
                    }
                }
            }
            for (int f = 0; f < out; f++) {
                nearest = Math.min(nearest, Math.abs(y[i * out + f]));
                y[i * out + f] = Math.max(y[i * out + f], 0);
            }
        }
        return y;
    }

    private void statistics(double[] x) {
        int count = records * 576;
        for (int c = 0; c < 64; c++) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += x[i * 64 + c];
            }
            mean[c] = sum / count;
            double squares = 0;
            for (int i = 0; i < count; i++) {
                squares += (x[i * 64 + c] - mean[c]) * (x[i * 64 + c] - mean[c]);
            }
            variance[c] = squares / count;
        }
    }

    private double[] pooled(double[] x, double[] m, double[] v, double[] p) {
        double[] pooled = new double[records * 144 * 64];
        for (int i = 0; i < pooled.length; i++) {
            int c = i % 64;
            double most = Double.NEGATIVE_INFINITY;
            for (int k = 0; k < 4; k++) {
                double normal = (x[place(i, k)] - m[c]) / Math.sqrt(v[c] + 1e-3);
                most = Math.max(most, p[GAMMA + c] * normal + p[BETA + c]);
            }
            pooled[i] = most;
        }
        return pooled;
    }

    /** Returns the index of one of the four values that are pooled into another. */
    private static int place(int pooled, int k) {
        int column = pooled / 64 % 12;
        int row = pooled / 64 / 12 % 12;
        return ((pooled / 9216 * 24 + 2 * row + k / 2) * 24 + 2 * column + k % 2) * 64 + pooled % 64;
    }

    private double[] scores(double[] x, double[] factors, double[] p) {
        double[] scores = new double[records * 10];
        for (int r = 0; r < records; r++) {
            for (int c = 0; c < 10; c++) {
                scores[r * 10 + c] = p[DENSE_BIAS + c];
                for (int i = 0; i < 9216; i++) {
                    scores[r * 10 + c] += x[r * 9216 + i] * factors[r * 9216 + i] * p[DENSE + i * 10 + c];
                }
            }
        }
        return scores;
    }

    /** The derivative by one parameter, by central differences. */
    double derivative(double[] p, int index, double step) {
        double here = p[index];
        p[index] = here + step;
        double above = loss(p);
        p[index] = here - step;
        double below = loss(p);
        p[index] = here;
        return (above - below) / (2 * step);
    }
}
