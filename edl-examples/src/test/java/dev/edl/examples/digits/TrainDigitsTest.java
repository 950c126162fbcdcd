package dev.edl.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.examples.Forked;
import dev.edl.examples.Pictures;
import dev.edl.examples.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TrainDigitsTest {
    private static final Pattern LOSS =
            Pattern.compile("\\[elasticdl-test-digits-worker-\\d+] Loss = \\S+, steps = \\d+");
    private static final Pattern EVALUATION =
            Pattern.compile("Evaluation metrics\\[step=\\d+]: \\{accuracy=[0-9.]+, loss=[0-9.E-]+}");
    private static final Pattern ACCURACY = Pattern.compile("Test accuracy: ([01]\\.\\d{4})");

    private static List<String> rows(Printed printed, String title) {
        int at = printed.out().indexOf("kubectl get pods, " + title + ":");
        assertThat(at).as(title).isNotNegative();
        return printed.out().stream()
                .skip(at + 2)
                .takeWhile(line -> !line.isBlank())
                .map(line -> line.replaceFirst("elasticdl-test-digits-(\\S+) +(\\S+) +(\\S+) .*", "$1 $2 $3"))
                .toList();
    }

    @Test
    void the_main_job_trains_through_a_deletion_and_two_scalings(@TempDir Path folder) throws IOException {
        Path output = folder.resolve("with space");
        Printed printed = Printed.by(TrainDigits::new, "--epochs", "100", "--output", output.toString());

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(printed.out()).anyMatch(LOSS.asMatchPredicate()).anyMatch(EVALUATION.asMatchPredicate());
        assertThat(printed.out()).anyMatch(line -> line.startsWith("task 1200/1200, epoch 100/100, "));
        assertThat(printed.out()).contains("scaled worker from 4 to 6", "scaled worker from 6 to 2");
        assertThat(rows(printed, "before worker-0 is deleted"))
                .containsExactly(
                        "master 1/1 Running",
                        "ps-0 1/1 Running",
                        "ps-1 1/1 Running",
                        "worker-0 1/1 Running",
                        "worker-1 1/1 Running",
                        "worker-2 1/1 Running",
                        "worker-3 1/1 Running");
        assertThat(rows(printed, "after: worker-4 has taken over, nothing restarted"))
                .containsExactly(
                        "master 1/1 Running",
                        "ps-0 1/1 Running",
                        "ps-1 1/1 Running",
                        "worker-1 1/1 Running",
                        "worker-2 1/1 Running",
                        "worker-3 1/1 Running",
                        "worker-4 1/1 Running");
        assertThat(rows(printed, "scaled to 6 workers")).hasSize(9).allMatch(row -> row.endsWith(" 1/1 Running"));
        assertThat(rows(printed, "scaled to 2 workers")).hasSize(5).allMatch(row -> row.endsWith(" 1/1 Running"));
        assertThat(accuracy(printed)).isGreaterThanOrEqualTo(0.96);
        assertThat(printed.out())
                .anyMatch(line ->
                        line.startsWith("Proof: each of 1,438 records applied exactly once in each of 100 epochs"))
                // 1,438 records in minibatches of 16 are 90 pushes: shards of 512, 512 and 414 give 32 + 32 + 26.
                .contains("       ps-0 holds 9,000 of 9,000 pushes, each once; ps-1 holds 9,000 of 9,000 pushes, each"
                        + " once");
        assertThat(output.resolve("checkpoints/version-9000")).isDirectory();
        assertThat(output.resolve("model.npz")).isNotEmptyFile();
        try (Stream<Path> events = Files.list(output.resolve("events"))) {
            assertThat(events)
                    .singleElement()
                    .satisfies(file -> assertThat(file).isNotEmptyFile());
        }
        Pictures.assertDrawn(output.resolve("training.png"), 1100, 640);
    }

    private static double accuracy(Printed printed) {
        return printed.out().stream()
                .map(ACCURACY::matcher)
                .filter(Matcher::matches)
                .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(String.join("\n", printed.out())));
    }

    @Test
    void an_interrupted_run_resumes_from_its_checkpoint(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("out");
        String[] flags = {"--epochs", "400", "--chaos", "off", "--output", output.toString()};
        Printed interrupted;
        try (Forked run = Forked.start(TrainDigits.class, folder.resolve("err"), flags)) {
            run.awaitLine(line -> line.startsWith("Checkpoint version "));
            run.interrupt();
            interrupted = run.end();
        }
        assertThat(interrupted.code()).isEqualTo(128 + 15);
        assertThat(interrupted.err()).isEmpty();
        int at = interrupted.out().indexOf("Interrupted; the job is cancelled.");
        assertThat(at).as(String.join("\n", interrupted.out())).isNotNegative();
        assertThat(interrupted.out().get(at + 1))
                .startsWith("  checkpoint   " + output.resolve("checkpoints/version-"));
        assertThat(Path.of(interrupted.out().get(at + 1).substring("  checkpoint   ".length())))
                .isDirectory();
        assertThat(interrupted.out().subList(at + 2, interrupted.out().size()))
                .containsExactly("  resume with  edl-examples/run digits --epochs 400 --chaos off --output " + output
                        + " --resume");

        Printed resumed = Printed.by(
                TrainDigits::new,
                Stream.concat(Stream.of(flags), Stream.of("--resume")).toArray(String[]::new));

        assertThat(resumed.err()).isEmpty();
        assertThat(resumed.code()).isZero();
        assertThat(resumed.out())
                .anyMatch(line ->
                        line.startsWith("Proof: each of 1,438 records applied exactly once in each of 400 epochs"))
                .contains("       ps-0 holds 36,000 of 36,000 pushes, each once; ps-1 holds 36,000 of 36,000 pushes,"
                        + " each once");
    }

    @Test
    void a_checkpoint_of_another_training_is_refused(@TempDir Path folder) {
        assertThat(Printed.by(TrainDigits::new, "--epochs", "1", "--chaos", "off", "--output", folder.toString())
                        .code())
                .isZero();

        Printed printed = Printed.by(
                TrainDigits::new, "--epochs", "2", "--minibatch", "32", "--output", folder.toString(), "--resume");

        assertThat(printed.err())
                .containsExactly("training: the checkpoint " + folder.resolve("checkpoints/version-90")
                        + " belongs to another training: minibatch was 16, is 32");
        assertThat(printed.code()).isEqualTo(2);
    }

    @Test
    void nothing_but_the_example_itself_is_printed(@TempDir Path folder) throws Exception {
        Printed printed;
        try (Forked run = Forked.start(
                TrainDigits.class,
                folder.resolve("err"),
                "--epochs",
                "2",
                "--chaos",
                "off",
                "--output",
                folder.resolve("out").toString())) {
            printed = run.end();
        }
        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).isZero();
        assertThat(printed.out().get(0)).isEqualTo("Job test-digits");
        assertThat(printed.out())
                .noneMatch(
                        line -> line.matches("(?i).*(slf4j|warning|nd4j|openblas|javacpp|\\bdebug\\b|\\binfo\\b).*"));
    }
}
