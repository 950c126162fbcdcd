package dev.edl.runtime.zoo.internal.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.zoo.Backend;
import dev.edl.runtime.zoo.RandomData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the definition of a convolution in double precision. */
class PatchConvolutionTest {
    @ParameterizedTest
    @CsvSource({
        // height and width after the next convolution, filters, records, block
        "4, 4, 1, 1, 1",
        "8, 4, 3, 5, 2",
        "4, 12, 2, 3, 4",
        "24, 24, 5, 2, 1",
    })
    void agrees_with_the_definition(int height, int width, int filters, int records, int block) {
        Backend.oneThreadPerWorker();
        NaiveConvolution naive = new NaiveConvolution(height + 2, width + 2, 1, filters);
        float[] x = RandomData.parameters(1, records * (height + 4) * (width + 4));
        float[] parameters = RandomData.parameters(2, 10 * filters);
        float[] dy = RandomData.parameters(3, records * (height + 2) * (width + 2) * filters);

        double[] expected = naive.forward(x, parameters, records);
        float[] dz = new float[dy.length];
        double[] biasGradient = new double[filters];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = Math.max(expected[i] + parameters[9 * filters + i % filters], 0);
            dz[i] = expected[i] > 0 ? dy[i] : 0;
            biasGradient[i % filters] += dz[i];
        }
        double[] kernelGradient = naive.kernelGradient(x, dz, records);

        WinogradTileLayout grid = WinogradTileLayout.ofOutputs(height, width);
        TileOrder order = new TileOrder(grid);
        int blocks = (records + block - 1) / block;
        float[] gradient = new float[10 * filters];
        try (PatchConvolution layer = new PatchConvolution(grid, filters, blocks, block)) {
            layer.load(parameters, 0);
            float[][][] y = new float[blocks][WinogradTileLayout.PLANES][grid.inputCells() * block * filters];
            float[][] planes = new float[WinogradTileLayout.PLANES][grid.inputCells() * block * filters];
            for (int pass = 0; pass < 2; pass++) {
                for (int b = 0; b < blocks; b++) {
                    int size = Math.min(block, records - b * block);
                    layer.forward(x, b * block, size, b, y[b]);
                    float[] images = order.inputImages(y[b], filters, size);
                    for (int i = 0; i < images.length; i++) {
                        int at = b * block * (expected.length / records) + i;
                        assertThat((double) images[i]).as("output %d", at).isCloseTo(expected[at], within(1e-5));
                    }
                    assertThat(order.outside(y[b], filters, size)).containsOnly(0f);
                }
                layer.startGradient();
                for (int b = 0; b < blocks; b++) {
                    int size = Math.min(block, records - b * block);
                    // Cells outside the image hold 99, which must not count.
                    order.inputs(dy, filters, b * block, size, planes);
                    layer.backward(b, size, y[b], planes);
                }
                layer.gradient(gradient, 0);
            }
        }
        for (int i = 0; i < 9 * filters; i++) {
            assertThat((double) gradient[i]).as("weight %d", i).isCloseTo(kernelGradient[i], within(2e-4));
        }
        for (int f = 0; f < filters; f++) {
            assertThat((double) gradient[9 * filters + f]).as("bias %d", f).isCloseTo(biasGradient[f], within(2e-4));
        }
    }
}
