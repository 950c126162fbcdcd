package dev.edl.examples.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.examples.Pictures;
import dev.edl.examples.Printed;
import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.data.npy.NpzReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TrainCsvTest {
    /**
     * 180 rows of class -1 and 120 of class 90,071,992,547, which no float holds. They are 8 deviations apart in the first
     * column, so every classifier separates them. The other columns are a large noise and a constant.
     */
    private static List<String> table() {
        Random random = new Random(7);
        List<String> lines = new ArrayList<>();
        lines.add("signal,noise,constant,class");
        for (int i = 0; i < 300; i++) {
            boolean first = i % 5 < 3;
            double signal = (first ? 0.001 : 0.009) + 0.001 * Math.max(-3, Math.min(3, random.nextGaussian()));
            lines.add(signal + "," + 1e6 * random.nextGaussian() + ",7.5," + (first ? -1 : 90_071_992_547L));
        }
        return lines;
    }

    private static Printed run(Path file, Path output, String... more) {
        List<String> args = new ArrayList<>(List.of("--csv", file.toString(), "--output", output.toString()));
        args.addAll(List.of(more));
        return Printed.by(TrainCsv::new, args.toArray(String[]::new));
    }

    @Test
    void linearly_separable_classes_are_learned_without_a_mistake(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("my table.csv"), table());
        Path output = folder.resolve("out");

        Printed printed = run(file, output);

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .startsWith(
                        "CsvTable[" + file + ": 300 rows, 3 features, label \"class\" with 2 classes, comma, header]",
                        "doubtful: line 2, column 3 (constant): \"7.5\" is the value of all rows, so the column"
                                + " distinguishes no rows; --without constant leaves this column out",
                        "180 rows of class -1, 120 of 90071992547",
                        "225 rows to train on, 75 rows held out")
                // 45 of the 75 rows that are held out are of class -1.
                .endsWith("Held-out accuracy: 1.0000 (always answering -1, the most frequent class, reaches 0.6000)")
                .anyMatch(line ->
                        line.startsWith("Proof: each of 225 records applied exactly once in each of 133 epochs"));
        assertThat(mistakes(file, output)).isZero();
        Pictures.assertDrawn(output.resolve("training.png"), 1100, 640);
    }

    /** Classifies every row with only the exported files, as the printed Python code does. */
    private static int mistakes(Path file, Path output) throws IOException {
        Map<String, NpzArray> model = NpzReader.read(output.resolve("model.npz"));
        Map<String, NpzArray> scaling = NpzReader.read(output.resolve("standardization.npz"));
        long[] classes = int64(output.resolve("classes.npy"));
        assertThat(classes).containsExactly(-1, 90_071_992_547L);
        float[] kernel = values(model, "dense/kernel");
        float[] bias = values(model, "dense/bias");
        double[] mean = array(scaling, "mean").doubles();
        double[] deviation = array(scaling, "deviation").doubles();
        assertThat(scaling.values()).allMatch(NpzArray::isDouble);
        int wrong = 0;
        for (String line : Files.readAllLines(file).subList(1, 301)) {
            String[] fields = line.split(",", -1);
            double[] scores = {bias[0], bias[1]};
            for (int i = 0; i < 3; i++) {
                double h = (Double.parseDouble(fields[i]) - mean[i]) / deviation[i];
                scores[0] += h * kernel[2 * i];
                scores[1] += h * kernel[2 * i + 1];
            }
            wrong += classes[scores[1] > scores[0] ? 1 : 0] == Long.parseLong(fields[3]) ? 0 : 1;
        }
        return wrong;
    }

    private static float[] values(Map<String, NpzArray> arrays, String name) {
        return array(arrays, name).values();
    }

    private static NpzArray array(Map<String, NpzArray> arrays, String name) {
        NpzArray array = arrays.get(name);
        if (array == null) {
            throw new AssertionError("there is no " + name + " in " + arrays.keySet());
        }
        return array;
    }

    private static long[] int64(Path npy) throws IOException {
        byte[] bytes = Files.readAllBytes(npy);
        int start = 10 + (bytes[8] & 0xff) + 256 * (bytes[9] & 0xff);
        String header = new String(bytes, 10, start - 10, StandardCharsets.US_ASCII);
        assertThat(header)
                .startsWith("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }")
                .endsWith("\n");
        assertThat(start % 64).isZero();
        long[] values = new long[(bytes.length - start) / 8];
        ByteBuffer.wrap(bytes, start, bytes.length - start)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(values);
        return values;
    }

    @Test
    void labels_that_are_texts_are_classes(@TempDir Path folder) throws IOException {
        StringBuilder rows = new StringBuilder("length,species\n");
        for (int i = 0; i < 40; i++) {
            rows.append(i).append(i < 20 ? ",fl\u00f6te\n" : ",pipe\n");
        }
        Path file = Files.writeString(folder.resolve("flutes.csv"), rows);
        Path output = folder.resolve("out");

        Printed printed = run(file, output);

        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .contains("20 rows of class fl\u00f6te, 20 of pipe")
                .anyMatch(line ->
                        line.startsWith("Held-out accuracy: ") && line.contains("(always answering fl\u00f6te, "));
        byte[] npy = Files.readAllBytes(output.resolve("classes.npy"));
        assertThat(new String(npy, 10, 118, StandardCharsets.US_ASCII))
                .startsWith("{'descr': '<U5', 'fortran_order': False, 'shape': (2,), }");
        assertThat(new String(npy, 128, npy.length - 128, java.nio.charset.Charset.forName("UTF-32LE")))
                .isEqualTo("fl\u00f6tepipe\0");
    }

    @Test
    void a_model_with_hidden_layers_prints_its_usage(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("table.csv"), table());
        Path output = folder.resolve("out");

        Printed printed = run(file, output, "--hidden", "8,4", "--optimizer", "adam:learning_rate=0.01");

        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .containsSequence(
                        "Use it in Python, X being rows of the features in the file's order:",
                        "  import numpy as np",
                        "  m, s = np.load('" + output.resolve("model.npz") + "'), np.load('"
                                + output.resolve("standardization.npz") + "')",
                        "  h = (X - s['mean']) / s['deviation']",
                        "  h = np.maximum(h @ m['dense/kernel'] + m['dense/bias'], 0)",
                        "  h = np.maximum(h @ m['dense_1/kernel'] + m['dense_1/bias'], 0)",
                        "  labels = np.load('" + output.resolve("classes.npy")
                                + "')[np.argmax(h @ m['dense_2/kernel'] + m['dense_2/bias'], axis=1)]");
    }

    @Test
    void each_bad_row_is_reported_with_its_line_and_column(@TempDir Path folder) throws IOException {
        List<String> lines = new ArrayList<>(table());
        lines.set(3, "0.1,abc,7.5,-1");
        lines.set(5, "0.1,2,-1");
        lines.set(8, ",nan,7.5,1.5");
        Path file = Files.write(folder.resolve("bad.csv"), lines);

        Printed printed = run(file, folder.resolve("out"));

        assertThat(printed.out()).isEmpty();
        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err())
                .containsExactly(
                        file + ": 3 of 300 rows are bad:",
                        "  line 4, column 2 (noise): \"abc\" is not a number, for example 1.5",
                        "  line 6: expected 4 fields as in line 1, found 3",
                        "  line 9, column 1 (signal): \"\" is empty; must be a number, for example 1.5"
                                + " (and 2 more in this line)",
                        "correct them, or read the rest with --skip-bad-rows");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void bad_rows_can_be_left_out(@TempDir Path folder) throws IOException {
        List<String> lines = new ArrayList<>(table());
        lines.set(3, "0.1,abc,7.5,-1");
        Path file = Files.write(folder.resolve("bad.csv"), lines);

        Printed printed = run(file, folder.resolve("out"), "--skip-bad-rows", "--epochs", "2");

        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .startsWith(
                        "CsvTable[" + file + ": 299 rows, 3 features, label \"class\" with 2 classes, comma, header,"
                                + " 1 bad rows skipped]",
                        "skipped line 4, column 2 (noise): \"abc\" is not a number, for example 1.5");
    }

    @Test
    void warnings_about_a_table_name_the_flags(@TempDir Path folder) throws IOException {
        List<String> lines = new ArrayList<>(table());
        lines.replaceAll(line -> line.replaceAll(",-1$", ",-1.0"));
        lines.set(3, "0.1,1,7.5,-1");
        Path file = Files.write(folder.resolve("table.csv"), lines);

        Printed printed = run(file, folder.resolve("out"), "--epochs", "2");

        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .anyMatch(line -> line.startsWith("doubtful: line ")
                        && line.endsWith("since both are the number -1; --text-labels keeps them apart"));
    }

    @Test
    void a_table_that_is_no_utf_8_is_refused(@TempDir Path folder) throws IOException {
        Path file = Files.write(
                folder.resolve("cities.csv"), "a,city\n1,K\u00f6ln\n2,Bonn\n".getBytes(StandardCharsets.ISO_8859_1));
        Printed printed = run(file, folder.resolve("out"));
        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err()).containsExactly(file + ": line 2, at byte 10: is not UTF-8 text; save it as UTF-8");
    }

    @Test
    void an_unknown_label_is_reported_with_the_known_ones(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("table.csv"), table());
        Printed printed = run(file, folder.resolve("out"), "--label", "species");
        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err())
                .containsExactly(
                        file + ": label \"species\": there is no such column; valid are \"last\", 1 to 4 and the"
                                + " names of the header: signal, noise, constant, class");
    }

    @Test
    void a_missing_file_is_named(@TempDir Path folder) {
        Printed printed = run(folder.resolve("none.csv"), folder.resolve("out"));
        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err()).containsExactly(folder.resolve("none.csv") + ": there is no such CSV file");
    }

    @Test
    void all_wrong_flags_are_reported_together(@TempDir Path folder) {
        Printed printed = run(
                folder.resolve("none.csv"),
                folder.resolve("out"),
                "--test",
                "1.5",
                "--hidden",
                "8,0",
                "--epochs",
                "0",
                "--workers",
                "0");
        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err())
                .containsExactly(
                        "--workers must be at least 1, was 0; for example --workers 2",
                        "--test must be between 0 and 1, both exclusive, was 1.5; for example --test 0.25",
                        "--epochs must be at least 1, was 0; for example --epochs 100",
                        "--hidden must be sizes of at least 1, was 0; for example --hidden 32,16");
    }

    @Test
    void a_value_that_is_no_number_is_reported_with_an_example(@TempDir Path folder) {
        Printed printed = run(folder.resolve("none.csv"), folder.resolve("out"), "--hidden", "a");
        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err())
                .containsExactly(
                        "Invalid value for option '--hidden' (SIZES): 'a' is not a whole number; for example --hidden 32,16",
                        "edl-examples/run csv --help lists the flags.");
    }

    @Test
    void the_table_must_be_named() {
        Printed printed = Printed.by(TrainCsv::new);
        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err())
                .containsExactly(
                        "Missing required option: '--csv=FILE'; for example --csv data.csv",
                        "edl-examples/run csv --help lists the flags.");
    }
}
