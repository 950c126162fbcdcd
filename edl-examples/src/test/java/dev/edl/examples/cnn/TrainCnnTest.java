package dev.edl.examples.cnn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.examples.Pictures;
import dev.edl.examples.Printed;
import dev.edl.runtime.data.idx.IdxFile;
import dev.edl.runtime.data.idx.IdxType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class TrainCnnTest {
    private static final int IMAGES = 48;

    private static Printed run(String... args) {
        return Printed.by(TrainCnn::new, args);
    }

    /** Images in MNIST's format: of digit d, a bar in the rows from 2 d on. The labels are compressed. */
    private static String[] idx(Path folder, Path output, String... more) throws IOException {
        double[] pixels = new double[IMAGES * 784];
        double[] digits = new double[IMAGES];
        for (int i = 0; i < IMAGES; i++) {
            digits[i] = i % 10;
            for (int p = 0; p < 3 * 28; p++) {
                pixels[i * 784 + i % 10 * 2 * 28 + p] = 200 + i;
            }
        }
        Path images = folder.resolve("images");
        Path plain = folder.resolve("plain");
        Path labels = folder.resolve("labels.gz");
        IdxFile.write(images, IdxType.UNSIGNED_BYTE, List.of(IMAGES, 28, 28), pixels);
        IdxFile.write(plain, IdxType.UNSIGNED_BYTE, List.of(IMAGES), digits);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(labels))) {
            Files.copy(plain, out);
        }
        List<String> args = new ArrayList<>(
                List.of("--images", images.toString(), "--labels", labels.toString(), "--output", output.toString()));
        args.addAll(List.of(more));
        return args.toArray(String[]::new);
    }

    @Test
    void the_digits_are_learned_and_predicted_by_a_job_of_its_own(@TempDir Path folder) throws IOException {
        Printed printed = run("--epochs", "3", "--output", folder.toString());

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        String accuracy = printed.out().stream()
                .filter(line -> line.startsWith("Test accuracy: "))
                .findFirst()
                .orElseThrow()
                .substring("Test accuracy: ".length());
        assertThat(Double.parseDouble(accuracy)).isGreaterThan(0.75);
        assertThat(printed.out())
                .anyMatch(line ->
                        line.startsWith("Proof: each of 1,438 records applied exactly once in each of 3 epochs"));
        String last = printed.out().get(printed.out().size() - 1);
        assertThat(last).matches("Prediction job: \\d+ mistakes? in 359 images.*");
        int mistakes = Integer.parseInt(last.replaceAll("\\D*(\\d+) mistake.*", "$1"));
        assertThat(String.format(Locale.ROOT, "%.4f", 1 - mistakes / 359.0)).isEqualTo(accuracy);
        Pictures.assertDrawn(folder.resolve("training.png"), 1100, 640);
        Pictures.assertDrawn(folder.resolve("mistakes.png"), 1056, 826);
        Pictures.assertDrawn(folder.resolve("kernels.png"), 784, 542);
        // 359 records of 10 floats behind a header of 128 bytes.
        assertThat(folder.resolve("predictions.npy")).hasSize(128 + 359 * 10 * 4);
        assertThat(folder.resolve("model.npz")).isNotEmptyFile();
    }

    @Test
    void mnist_files_are_trained_on_and_the_last_sixth_is_held_out(@TempDir Path folder) throws IOException {
        Printed printed = run(idx(folder, folder.resolve("out")));

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .anyMatch(line -> line.startsWith("Proof: each of 40 records applied exactly once in 1 epoch"))
                .anyMatch(line -> line.matches("Prediction job: \\d+ mistakes? in 8 images.*"));
    }

    @Test
    void a_run_resumes_where_another_ended(@TempDir Path folder) throws IOException {
        Path output = folder.resolve("out");
        assertThat(run(idx(folder, output)).code()).isZero();

        Printed printed = run(idx(folder, output, "--epochs", "2", "--resume"));

        assertThat(printed.err()).isEmpty();
        assertThat(printed.out())
                .anyMatch(
                        line -> line.startsWith("Proof: each of 40 records applied exactly once in each of 2 epochs (40"
                                + " records in the checkpoint that it resumed from"));
    }

    @Test
    void images_of_another_size_are_refused(@TempDir Path folder) throws IOException {
        Path images = folder.resolve("images");
        Path labels = folder.resolve("labels");
        IdxFile.write(images, IdxType.UNSIGNED_BYTE, List.of(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8);
        IdxFile.write(labels, IdxType.UNSIGNED_BYTE, List.of(2), 0, 1);

        Printed printed = run(
                "--images",
                images.toString(),
                "--labels",
                labels.toString(),
                "--output",
                folder.resolve("o").toString());

        assertThat(printed.err()).containsExactly(images + ": images must have 28 x 28 pixels, was 4 pixels an image");
        assertThat(printed.code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --ps               | 0    | --ps must be at least 1, was 0; for example --ps 2
            --epochs           | 0    | --epochs must be at least 1, was 0; for example --epochs 10
            --evaluation-steps | -1   | --evaluation-steps must be at least 0, was -1; for example --evaluation-steps 100
            --optimizer        | foo  | --optimizer: optimizer "foo": "foo" is not a known optimizer; known are sgd, adam, adagrad
            """)
    void a_value_out_of_range_is_reported_with_its_rule(String flag, String value, String message) {
        Printed printed = run(flag, value);
        assertThat(printed.err()).containsExactly(message);
        assertThat(printed.out()).isEmpty();
        assertThat(printed.code()).isEqualTo(2);
    }

    @Test
    void all_missing_files_and_counterparts_are_reported_together(@TempDir Path folder) {
        Path missing = folder.resolve("missing");
        assertThat(run("--images", missing.toString(), "--test-labels", missing.toString())
                        .err())
                .containsExactly(
                        "--images must be a file that can be read, was \"" + missing + "\"",
                        "--test-labels must be a file that can be read, was \"" + missing + "\"",
                        "--images and --labels must be given together, for example --images"
                                + " train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz",
                        "--test-images and --test-labels must be given together, for example --test-images"
                                + " t10k-images-idx3-ubyte.gz --test-labels t10k-labels-idx1-ubyte.gz");
    }

    @Test
    void there_is_nothing_to_resume_in_an_empty_folder(@TempDir Path folder) {
        assertThat(run("--output", folder.toString(), "--resume").err())
                .containsExactly("--resume needs a checkpoint to go on from, but there is none in "
                        + folder.resolve("checkpoints") + "; run without --resume first");
    }
}
