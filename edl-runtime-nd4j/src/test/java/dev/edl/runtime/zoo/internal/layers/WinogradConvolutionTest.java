package dev.edl.runtime.zoo.internal.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.zoo.Backend;
import dev.edl.runtime.zoo.RandomData;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the definition of a convolution in double precision. */
class WinogradConvolutionTest {
    @ParameterizedTest
    @CsvSource({
        // height, width, channels, filters, records, block
        "4, 4, 1, 1, 1, 1",
        "8, 4, 3, 2, 3, 1",
        "4, 12, 2, 5, 5, 2",
        "8, 8, 32, 16, 3, 4",
        "24, 24, 4, 3, 3, 2",
    })
    void agrees_with_the_definition(int height, int width, int channels, int filters, int records, int block) {
        Backend.oneThreadPerWorker();
        NaiveConvolution naive = new NaiveConvolution(height, width, channels, filters);
        float[] x = RandomData.parameters(1, records * (height + 2) * (width + 2) * channels);
        float[] parameters = RandomData.parameters(2, 9 * channels * filters);
        float[] dz = RandomData.parameters(3, records * height * width * filters);

        double[] expected = naive.forward(x, parameters, records);
        double[] expectedDx = naive.inputGradient(dz, parameters, records);
        double[] expectedDw = naive.kernelGradient(x, dz, records);

        WinogradTileLayout grid = WinogradTileLayout.ofOutputs(height, width);
        TileOrder order = new TileOrder(grid);
        float[] gradient = new float[parameters.length];
        try (WinogradConvolution layer = new WinogradConvolution(grid, channels, filters, records, block)) {
            layer.load(parameters, 0);
            float[][] x16 = new float[WinogradTileLayout.PLANES][grid.inputCells() * block * channels];
            float[][] y16 = new float[WinogradTileLayout.PLANES][grid.tiles() * block * filters];
            // Twice, so that leftovers of the first pass would affect the second.
            for (int pass = 0; pass < 2; pass++) {
                for (int first = 0; first < records; first += block) {
                    int size = Math.min(block, records - first);
                    order.inputs(x, channels, first, size, x16);
                    layer.forward(first, size, x16, y16);
                    agree("outputs", order.outputs(y16, filters, size), part(expected, first, size, records));
                }
                layer.startGradient();
                for (int first = 0; first < records; first += block) {
                    int size = Math.min(block, records - first);
                    order.outputPlanes(dz, filters, first, size, y16);
                    layer.backward(first, size, y16, x16);
                    agree(
                            "input gradient",
                            order.inputImages(x16, channels, size),
                            part(expectedDx, first, size, records));
                    assertThat(order.outside(x16, channels, size)).containsOnly(0f);
                }
                layer.gradient(gradient, 0);
                agree("kernel gradient", gradient, expectedDw);
            }
        }
    }

    @Test
    void refuses_outputs_that_tiles_do_not_fill() {
        assertThatThrownBy(() -> WinogradTileLayout.ofOutputs(24, 26))
                .hasMessage("the outputs of a Winograd convolution must have sides that are multiples of 4,"
                        + " for example 24 x 24, was 24 x 26");
    }

    private static double[] part(double[] all, int first, int size, int records) {
        int each = all.length / records;
        return Arrays.copyOfRange(all, first * each, (first + size) * each);
    }

    private static void agree(String what, float[] actual, double[] expected) {
        assertThat(actual).as(what).hasSameSizeAs(expected);
        double scale = 0;
        for (double e : expected) {
            scale = Math.max(scale, Math.abs(e));
        }
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) actual[i]).as("%s, element %d", what, i).isCloseTo(expected[i], within(4e-6 * scale));
        }
    }
}
