package dev.edl.examples.csv;

import dev.edl.examples.OutputFolder;
import dev.edl.runtime.data.Standardization;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.data.npy.NpzWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files that classify a new row together with the exported model.
 *
 * <ul>
 *   <li>{@code standardization.npz}: the float64 arrays {@code mean} and {@code deviation}, one number per feature, in
 *       the order of the table's columns without the label; the model's input is {@code (row - mean) / deviation}.
 *   <li>{@code classes.npy}: an array of int64, or of texts if the labels are texts; the label of each output of the
 *       model.
 * </ul>
 */
final class ModelCompanionFiles {
    private ModelCompanionFiles() {}

    static Path standardization(OutputFolder output) {
        return output.folder().resolve("standardization.npz");
    }

    static Path classes(OutputFolder output) {
        return output.folder().resolve("classes.npy");
    }

    static void write(OutputFolder output, Standardization standardization, CsvTable table) throws IOException {
        double[] means = standardization.means();
        double[] deviations = standardization.deviations();
        NpzWriter.write(
                standardization(output),
                List.of(
                        NpzArray.of("mean", means, means.length),
                        NpzArray.of("deviation", deviations, deviations.length)));
        boolean texts = !table.classNames()
                .equals(table.classes().stream().map(String::valueOf).toList());
        Files.write(classes(output), texts ? npyOfTexts(table.classNames()) : npy(table.classes()));
    }

    /** Returns an .npy file of integers, as int64, because a float cannot represent every label. */
    private static byte[] npy(List<Long> values) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * values.size()).order(ByteOrder.LITTLE_ENDIAN);
        values.forEach(bytes::putLong);
        return npy("<i8", values.size(), bytes.array());
    }

    /**
     * Returns an .npy file of texts. NumPy stores each with four bytes per code point, padded with zeros to the length
     * of the longest.
     */
    private static byte[] npyOfTexts(List<String> values) {
        int longest = values.stream()
                .mapToInt(text -> text.codePointCount(0, text.length()))
                .max()
                .orElse(1);
        ByteBuffer bytes = ByteBuffer.allocate(4 * longest * values.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < values.size(); i++) {
            bytes.position(4 * longest * i);
            values.get(i).codePoints().forEach(bytes::putInt);
        }
        return npy("<U" + longest, values.size(), bytes.array());
    }

    /**
     * Returns a one-dimensional array in NumPy's file format, version 1.0.
     *
     * @param type NumPy's name of the element type
     * @param count number of elements
     * @param values bytes of the elements
     */
    private static byte[] npy(String type, int count, byte[] values) {
        String header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + count + ",), }";
        // Magic, version and length take 10 bytes, the line break 1, and the array begins at a multiple of 64.
        int padding = 63 - (10 + header.length()) % 64;
        byte[] text = (header + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer bytes = ByteBuffer.allocate(10 + text.length + values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
        bytes.put((byte) 1).put((byte) 0).putShort((short) text.length).put(text);
        return bytes.put(values).array();
    }

    /** Returns instructions for using the files with NumPy. */
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
