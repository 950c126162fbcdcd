package dev.edl.examples.csv;

import dev.edl.examples.OutputFolder;
import dev.edl.runtime.data.NpzArray;
import dev.edl.runtime.data.NpzWriter;
import dev.edl.runtime.data.Standardization;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What one must have beside the exported model to classify a new row with it.
 *
 * <ul>
 *   <li>{@code standardization.npz}: the float32 arrays {@code mean} and {@code deviation}, one number a feature, in the
 *       order of the table's columns without the label; the model takes {@code (row - mean) / deviation}.
 *   <li>{@code classes.npy}: an int64 array; the label, as it stands in the table, of each output of the model.
 * </ul>
 */
final class ModelFiles {
    private ModelFiles() {}

    static Path standardization(OutputFolder output) {
        return output.folder().resolve("standardization.npz");
    }

    static Path classes(OutputFolder output) {
        return output.folder().resolve("classes.npy");
    }

    static void write(OutputFolder output, Standardization standardization, List<Long> classes) throws IOException {
        float[] means = standardization.means();
        float[] deviations = standardization.deviations();
        NpzWriter.write(
                standardization(output),
                List.of(
                        NpzArray.of("mean", means, means.length),
                        NpzArray.of("deviation", deviations, deviations.length)));
        Files.write(classes(output), npy(classes));
    }

    /** NumPy's format, version 1.0; a float would not hold every label. */
    private static byte[] npy(List<Long> values) {
        String header = "{'descr': '<i8', 'fortran_order': False, 'shape': (" + values.size() + ",), }";
        // Magic, version and length take 10 bytes, the line break 1, and the array begins at a multiple of 64.
        int padding = 63 - (10 + header.length()) % 64;
        byte[] text = (header + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer bytes =
                ByteBuffer.allocate(10 + text.length + 8 * values.size()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
        bytes.put((byte) 1).put((byte) 0).putShort((short) text.length).put(text);
        values.forEach(bytes::putLong);
        return bytes.array();
    }

    /** How the files are used, in NumPy's terms. */
    static String usage(OutputFolder output, int hiddenLayers) {
        StringBuilder text = new StringBuilder("Use it in Python, X being rows of the features in the file's order:\n");
        text.append("  import numpy as np\n");
        text.append("  m, s = np.load('").append(output.model()).append("'), np.load('");
        text.append(standardization(output)).append("')\n");
        text.append("  h = (X - s['mean']) / s['deviation']\n");
        for (int layer = 0; layer < hiddenLayers; layer++) {
            text.append("  h = np.maximum(").append(product(layer)).append(", 0)\n");
        }
        text.append("  labels = np.load('").append(classes(output)).append("')[np.argmax(");
        return text.append(product(hiddenLayers)).append(", axis=1)]").toString();
    }

    private static String product(int layer) {
        String name = layer == 0 ? "dense" : "dense_" + layer;
        return "h @ m['" + name + "/kernel'] + m['" + name + "/bias']";
    }
}
