package dev.edl.runtime.zoo.internal.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Batch normalization and pooling, against their definitions and central differences in double precision. */
class BatchNormMaxPoolTest {
    private static final int CHANNELS = 3;
    private static final int SIDE = 8;
    private static final int RECORDS = 3;
    private static final int BLOCK = 2;
    private static final int VALUES = RECORDS * SIDE * SIDE * CHANNELS;
    private static final int POOLED = VALUES / 4;
    private static final int GAMMA = 0;
    private static final int BETA = CHANNELS;

    private final WinogradTileLayout grid = WinogradTileLayout.ofOutputs(SIDE, SIDE);
    private final TileOrder order = new TileOrder(grid);
    private final BatchNormMaxPool pool = new BatchNormMaxPool(grid, CHANNELS, 2, BLOCK);
    private final SplittableRandom random = new SplittableRandom(4);
    /** [record][y][x][channel], rectified. */
    private final float[] x = new float[VALUES];

    private final float[] parameters = {0.8f, -1.3f, 1.1f, 0.2f, -0.4f, 0.1f, 0.3f, 0.5f, -0.2f, 0.9f, 1.4f, 0.6f};
    private final float[][][] blocks = new float[2][WinogradTileLayout.PLANES][grid.tiles() * BLOCK * CHANNELS];
    private final int[] lengths = {grid.tiles() * 2 * CHANNELS, grid.tiles() * CHANNELS};

    @Test
    void forward_normalizes_and_pools_the_largest_of_four() {
        fill();
        assertThat(doubles(forward())).containsExactly(definition(doubles(x), parameters), within(2e-6));
    }

    @Test
    void forward_normalizes_by_moving_averages_that_are_given() {
        fill();
        pool.normalization().assume(parameters, 6, 9);
        pool.normalization().load(parameters, GAMMA, BETA);
        double[] mean = {0.3f, 0.5f, -0.2f};
        double[] variance = {0.9f, 1.4f, 0.6f};
        assertThat(doubles(poolBlocks())).containsExactly(pooled(doubles(x), parameters, mean, variance), within(2e-6));
    }

    @Test
    void moving_averages_change_by_a_hundredth() {
        fill();
        forward();
        float[] change = new float[12];
        pool.normalization().movingChange(parameters, change, 6, 9);
        double[][] statistics = statistics(doubles(x));
        for (int c = 0; c < CHANNELS; c++) {
            assertThat((double) change[6 + c]).isCloseTo(0.01 * (statistics[0][c] - parameters[6 + c]), within(1e-8));
            assertThat((double) change[9 + c]).isCloseTo(0.01 * (statistics[1][c] - parameters[9 + c]), within(1e-8));
        }
    }

    @Test
    void statistics_keep_a_small_variance_beside_a_large_mean() {
        for (int i = 0; i < VALUES; i++) {
            x[i] = 1000 + i % 2 / 64f;
        }
        forward();
        float[] change = new float[12];
        pool.normalization().movingChange(new float[12], change, 6, 9);
        // Half of the values are 1000, the others 1/64 more.
        assertThat(change[9]).isCloseTo((float) (0.01 / 64 / 64 / 4), within(1e-10f));
    }

    @Test
    void backward_agrees_with_central_differences() {
        fill();
        float[] dy = new float[POOLED];
        for (int i = 0; i < POOLED; i++) {
            dy[i] = (float) random.nextDouble(-1, 1);
        }
        forward();
        float[] gradient = new float[2 * CHANNELS];
        float[] dx = backward(dy, gradient);

        double[] exact = doubles(x);
        for (int i = 0; i < VALUES; i++) {
            double expected = 0;
            // A rectified 0 stays 0.
            if (exact[i] > 0) {
                double here = exact[i];
                exact[i] = here + 1e-6;
                double above = dot(definition(exact, parameters), dy);
                exact[i] = here - 1e-6;
                double below = dot(definition(exact, parameters), dy);
                exact[i] = here;
                expected = (above - below) / 2e-6;
            }
            assertThat((double) dx[i]).as("value %d", i).isCloseTo(expected, within(3e-6));
        }
        for (int i = 0; i < 2 * CHANNELS; i++) {
            float[] moved = parameters.clone();
            moved[i] = parameters[i] + 0.125f;
            double above = dot(definition(exact, moved), dy);
            moved[i] = parameters[i] - 0.125f;
            double below = dot(definition(exact, moved), dy);
            // Linear in gamma, as long as its sign stays, and in beta: the step does not matter.
            assertThat((double) gradient[i]).as("parameter %d", i).isCloseTo((above - below) / 0.25, within(2e-5));
        }
    }

    @Test
    void a_gradient_goes_to_the_first_of_equal_values() {
        Arrays.fill(x, 1);
        forward();
        float[] dy = new float[POOLED];
        dy[0] = 1;
        float[] gradient = new float[2 * CHANNELS];
        float[] dx = backward(dy, gradient);
        double scale = 0.8f / Math.sqrt(1e-3);
        double share = scale / (RECORDS * SIDE * SIDE);
        assertThat((double) dx[0]).isCloseTo(scale - share, within(1e-4));
        for (int pixel : new int[] {1, SIDE, SIDE + 1}) {
            assertThat((double) dx[pixel * CHANNELS]).as("pixel %d", pixel).isCloseTo(-share, within(1e-4));
        }
    }

    /** Values far enough apart for differences; every third is 0. */
    private void fill() {
        for (int i = 0; i < VALUES; i++) {
            x[i] = i % 3 == i / 7 % 3 ? 0 : (float) random.nextDouble(0.1, 2);
        }
    }

    private float[] forward() {
        for (int b = 0; b < 2; b++) {
            order.outputPlanes(x, CHANNELS, b * BLOCK, lengths[b] / lengths[1], blocks[b]);
        }
        pool.normalization().measure(blocks, lengths, 2);
        pool.normalization().load(parameters, GAMMA, BETA);
        return poolBlocks();
    }

    private float[] poolBlocks() {
        float[] rows = new float[POOLED];
        for (int b = 0; b < 2; b++) {
            order.outputPlanes(x, CHANNELS, b * BLOCK, lengths[b] / lengths[1], blocks[b]);
            pool.forward(b, blocks[b], b * BLOCK, lengths[b] / lengths[1], lengths[b], rows);
        }
        return rows;
    }

    private float[] backward(float[] dy, float[] gradient) {
        pool.startGradient();
        for (int b = 0; b < 2; b++) {
            pool.gradient(dy, b, b * BLOCK, lengths[b] / lengths[1], lengths[b]);
        }
        pool.normalization().finishGradient(gradient, GAMMA, BETA);
        float[] dx = new float[VALUES];
        for (int b = 0; b < 2; b++) {
            pool.backward(b, blocks[b], lengths[b]);
            float[] images = order.outputs(blocks[b], CHANNELS, lengths[b] / lengths[1]);
            System.arraycopy(images, 0, dx, b * BLOCK * VALUES / RECORDS, images.length);
        }
        return dx;
    }

    private static double[] definition(double[] x, float[] parameters) {
        double[][] statistics = statistics(x);
        return pooled(x, parameters, statistics[0], statistics[1]);
    }

    private static double[][] statistics(double[] x) {
        double[][] statistics = new double[2][CHANNELS];
        int count = VALUES / CHANNELS;
        for (int i = 0; i < VALUES; i++) {
            statistics[0][i % CHANNELS] += x[i] / count;
        }
        for (int i = 0; i < VALUES; i++) {
            statistics[1][i % CHANNELS] += Math.pow(x[i] - statistics[0][i % CHANNELS], 2) / count;
        }
        return statistics;
    }

    private static double[] pooled(double[] x, float[] parameters, double[] mean, double[] variance) {
        double[] pooled = new double[POOLED];
        Arrays.fill(pooled, Double.NEGATIVE_INFINITY);
        for (int i = 0; i < VALUES; i++) {
            int c = i % CHANNELS;
            int column = i / CHANNELS % SIDE;
            int row = i / CHANNELS / SIDE % SIDE;
            int record = i / CHANNELS / SIDE / SIDE;
            int to = ((record * SIDE / 2 + row / 2) * SIDE / 2 + column / 2) * CHANNELS + c;
            double y = parameters[GAMMA + c] * (x[i] - mean[c]) / Math.sqrt(variance[c] + 1e-3) + parameters[BETA + c];
            pooled[to] = Math.max(pooled[to], y);
        }
        return pooled;
    }

    private static double dot(double[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static double[] doubles(float[] from) {
        double[] to = new double[from.length];
        for (int i = 0; i < to.length; i++) {
            to[i] = from[i];
        }
        return to;
    }
}
