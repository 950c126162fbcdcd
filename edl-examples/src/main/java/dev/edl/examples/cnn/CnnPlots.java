package dev.edl.examples.cnn;

import dev.edl.examples.DatasetRecords;
import dev.edl.examples.PlotStyle;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Parameter;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Pictures of a trained network: images that it misclassifies, and the kernels of its first layer. */
final class CnnPlots {
    private static final int COLUMNS = 8;
    private static final int ROWS = 5;
    private static final int IMAGE = 112;
    private static final int KERNEL = 78;
    private static final int KERNEL_SIDE = 3;

    private CnnPlots() {}

    /**
     * Returns a picture of forty held-out images: misclassified ones, and if these are fewer, also those with the least
     * confident right predictions.
     */
    static BufferedImage mistakes(DigitPredictions answers, Dataset data) throws IOException {
        List<DigitPredictions.Answer> shown =
                answers.worstFirst().stream().limit((long) COLUMNS * ROWS).toList();
        Map<Integer, float[]> pixels = pixels(shown, data);
        Gallery gallery = new Gallery(
                String.format(
                        Locale.ROOT,
                        "%,d of %,d held-out images are misclassified",
                        answers.mistakes(),
                        answers.size()),
                "red: true digit → predicted digit, with the network's confidence; gray: right, but least confident",
                COLUMNS,
                (shown.size() + COLUMNS - 1) / COLUMNS,
                IMAGE,
                20);
        for (DigitPredictions.Answer a : shown) {
            float[] image = pixels.getOrDefault(a.record(), new float[0]);
            long percent = Math.round(100.0 * a.probability());
            gallery.add(
                    DigitImages.SIDE,
                    i -> gray(1 - image[i]),
                    a.wrong()
                            ? a.truth() + " → " + a.answer() + "  (" + percent + " %)"
                            : a.truth() + "  (" + percent + " %)",
                    a.wrong() ? PlotStyle.RED : PlotStyle.GRAY);
        }
        return gallery.image();
    }

    private static Map<Integer, float[]> pixels(List<DigitPredictions.Answer> shown, Dataset data) throws IOException {
        var wanted = shown.stream().map(DigitPredictions.Answer::record).collect(Collectors.toSet());
        Map<Integer, float[]> pixels = new HashMap<>();
        int size = data.features();
        DatasetRecords.visit(data, (record, batch, row) -> {
            if (wanted.contains(record)) {
                pixels.put(record, Arrays.copyOfRange(batch.features(), row * size, (row + 1) * size));
            }
        });
        return pixels;
    }

    /** Returns a picture of the 32 kernels of the first convolution, which detect edges and spots of ink. */
    static BufferedImage kernels(TrainedModel trained) {
        Parameter kernel = trained.layout().parameters().stream()
                .filter(p -> p.name().equals("conv2d/kernel"))
                .findFirst()
                .orElseThrow();
        float[] all = trained.parameters();
        int channels = kernel.shape().get(3);
        float most = 0;
        for (int i = kernel.offset(); i < kernel.end(); i++) {
            most = Math.max(most, Math.abs(all[i]));
        }
        float scale = most;
        Gallery gallery = new Gallery(
                "The " + channels + " kernels of the first convolution, after training",
                String.format(Locale.ROOT, "red: ink there raises the output; blue: lowers it; deepest: ±%.2f", scale),
                COLUMNS,
                (channels + COLUMNS - 1) / COLUMNS,
                KERNEL,
                20);
        for (int c = 0; c < channels; c++) {
            int from = kernel.offset() + c;
            gallery.add(KERNEL_SIDE, i -> signed(all[from + i * channels] / scale), "" + c, PlotStyle.GRAY);
        }
        return gallery.image();
    }

    private static int gray(float value) {
        float g = Math.max(0, Math.min(1, value));
        return new Color(g, g, g).getRGB();
    }

    /** Returns the colour of a value: white at 0, more red towards 1 and more blue towards -1. */
    private static int signed(float value) {
        Color end = value < 0 ? PlotStyle.BLUE : PlotStyle.RED;
        float share = Math.min(1, Math.abs(value));
        return new Color(
                        Math.round(255 + (end.getRed() - 255) * share),
                        Math.round(255 + (end.getGreen() - 255) * share),
                        Math.round(255 + (end.getBlue() - 255) * share))
                .getRGB();
    }
}
