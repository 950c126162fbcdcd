package dev.edl.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.examples.Pictures;
import dev.edl.examples.Printed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class TrainClicksTest {
    private static Printed run(String... args) {
        return Printed.by(TrainClicks::new, args);
    }

    /** Returns the area in a line of the report, such as {@code   0.7312  by DeepFM}. */
    private static double area(Printed printed, String by) {
        return printed.out().stream()
                .filter(line -> line.matches("  \\d\\.\\d{4}  by " + by + ".*"))
                .mapToDouble(line -> Double.parseDouble(line.strip().substring(0, 6)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(String.join("\n", printed.out())));
    }

    @Test
    void it_learns_through_the_loss_of_a_worker_and_a_parameter_server(@TempDir Path folder) throws IOException {
        Printed printed = run("--records", "20000", "--epochs", "4", "--patience", "50", "--output", folder.toString());

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .contains("Relaunch the ps: elasticdl-clicks-ps-1", "kubectl get pods, after the kill of ps-1:")
                .anyMatch(line -> line.matches("elasticdl-clicks-ps-1 +1/1 +Running +1 .*"))
                .anyMatch(line -> line.matches("elasticdl-clicks-worker-4 +1/1 +Running +0 .*"))
                .anyMatch(line ->
                        line.startsWith("Proof: each of 20,000 records applied exactly once in each of 4 epochs"))
                .anyMatch(line -> line.matches("Test auc: 0\\.\\d{4}"))
                .contains("Prediction job: 3,333 held-out records, ranked with an area under the ROC curve of");
        // Every id of the data is seen: 1,648 of all fields.
        assertThat(printed.out())
                .contains("Embedding table fm/weights: 1,648 rows", "Embedding table fm/vectors: 1,648 rows");
        assertThat(area(printed, "a linear model")).isBetween(0.6, 0.8);
        assertThat(area(printed, "DeepFM")).isBetween(area(printed, "a linear model"), area(printed, "the truth"));
        Pictures.assertDrawn(folder.resolve("training.png"), 1100, 640);
        Pictures.assertDrawn(folder.resolve("quality.png"), 1280, 640);
        assertThat(folder.resolve("predictions.npy")).hasSize(128 + 3_333 * 4);
        assertThat(folder.resolve("model.npz")).isNotEmptyFile();
    }

    @Test
    void a_training_whose_auc_does_not_grow_is_ended(@TempDir Path folder) {
        Printed printed = run(
                "--records",
                "2000",
                "--epochs",
                "50",
                "--evaluation-steps",
                "10",
                "--patience",
                "1",
                "--chaos",
                "off",
                "--optimizer",
                "sgd:learning_rate=0.000001",
                "--output",
                folder.toString());

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .anyMatch(line -> line.matches("Stopped early at version \\d+: auc has not been better.*"));
    }

    @Test
    void a_file_in_criteos_format_is_trained_on_without_a_truth(@TempDir Path folder) throws IOException {
        ClickData made = new ClickData(3);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            ByteBuffer record = ByteBuffer.wrap(made.record(i)).order(ByteOrder.LITTLE_ENDIAN);
            StringBuilder line = new StringBuilder("" + record.get(ClickData.RECORD_BYTES - 1));
            for (int n = 0; n < ClickData.NUMERIC; n++) {
                line.append('\t').append(Math.round(100 * record.getFloat()));
            }
            for (int f = 0; f < ClickData.FIELDS; f++) {
                int id = record.getInt();
                line.append('\t').append(id < 0 ? "" : Integer.toHexString(id));
            }
            lines.add(line.toString());
        }
        Path file = Files.write(folder.resolve("clicks.tsv"), lines);

        Printed printed = run(
                "--data",
                file.toString(),
                "--epochs",
                "2",
                "--chaos",
                "off",
                "--output",
                folder.resolve("out").toString());

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .anyMatch(
                        line -> line.startsWith("Proof: each of 900 records applied exactly once in each of 2 epochs"))
                .contains("Prediction job: 100 held-out records, ranked with an area under the ROC curve of")
                .noneMatch(line -> line.contains("by the truth"));
    }

    @Test
    void a_run_resumes_where_another_ended(@TempDir Path folder) {
        String[] flags = {"--records", "2000", "--chaos", "off", "--output", folder.toString(), "--epochs"};
        assertThat(run(with(flags, "1")).code()).isZero();

        Printed printed = run(with(flags, "2", "--resume"));

        assertThat(printed.err()).isEmpty();
        assertThat(printed.out())
                .anyMatch(
                        line -> line.startsWith("Proof: each of 2,000 records applied exactly once in each of 2 epochs"
                                + " (2,000 records in the checkpoint that it resumed from"));
    }

    private static String[] with(String[] flags, String... more) {
        List<String> all = new ArrayList<>(List.of(flags));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --records          | 99    | --records must be at least 100, was 99; for example --records 150000
            --ps               | 0     | --ps must be at least 1, was 0; for example --ps 2
            --epochs           | 0     | --epochs must be at least 1, was 0; for example --epochs 6
            --patience         | 0     | --patience must be at least 1, was 0; for example --patience 3
            --evaluation-steps | 0     | --evaluation-steps must be at least 1, was 0; for example --evaluation-steps 500
            --optimizer        | foo   | --optimizer: optimizer "foo": "foo" is not a known optimizer; known are sgd, adam, adagrad
            --data             | a/b/c | --data must be a file that can be read, was "a/b/c"
            """)
    void a_wrong_value_is_reported_with_its_rule(String flag, String value, String message) {
        Printed printed = run(flag, value);
        assertThat(printed.err()).containsExactly(message);
        assertThat(printed.out()).isEmpty();
        assertThat(printed.code()).isEqualTo(2);
    }

    @Test
    void a_word_other_than_on_or_off_refers_to_help() {
        assertThat(run("--chaos", "maybe").err())
                .containsExactly(
                        "Invalid value for option '--chaos': expected one of [on, off] (case-insensitive) but was"
                                + " 'maybe'; for example --chaos on",
                        "edl-examples/run clicks --help lists the flags.");
    }

    @Test
    void there_is_nothing_to_resume_in_an_empty_folder(@TempDir Path folder) {
        assertThat(run("--output", folder.toString(), "--resume").err())
                .containsExactly("--resume needs a checkpoint to go on from, but there is none in "
                        + folder.resolve("checkpoints") + "; run without --resume first");
    }
}
