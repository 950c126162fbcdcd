package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsoleReportTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    private static TrainingEvent at(int tasksDone, long millis) {
        return new TrainingEvent.Progressed(new Progress(
                Math.min(3, tasksDone / 5),
                4,
                tasksDone,
                20,
                tasksDone * 100L,
                2000,
                tasksDone * 7L,
                0.25,
                500,
                Duration.ofMillis(millis)));
    }

    @Test
    void prints_the_log_lines_of_elasticdl() {
        ConsoleReport report = ConsoleReport.to(out, false);
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("accuracy", 0.5);
        metrics.put("loss", 0.25);

        report.accept(new TrainingEvent.Loss("elasticdl-mnist-worker-0", 100, 0.75f));
        report.accept(new TrainingEvent.Evaluation(200, metrics));

        assertThat(text()).isEqualTo("""
                [elasticdl-mnist-worker-0] Loss = 0.75, steps = 100
                Evaluation metrics[step=200]: {accuracy=0.5, loss=0.25}
                """);
    }

    @Test
    void stop_resume_and_loss_events_are_lines() {
        ConsoleReport report = ConsoleReport.to(out, false);

        report.accept(new TrainingEvent.Resumed(
                new ResumedProgress(Path.of("run", "version-120"), 120, 48_000, Duration.ofMillis(12_900))));
        report.accept(new TrainingEvent.Stopped(640, "loss has not been better for 3 evaluations"));
        report.accept(new TrainingEvent.Progressed(
                new Progress(0, 0, 3, 10, 300, 1000, 640, Double.NaN, 100, Duration.ofSeconds(3))));

        assertThat(text()).isEqualTo("""
                The training resumed from version 120 in %s, 48,000 records and 12 s into the training
                Stopped early at version 640: loss has not been better for 3 evaluations
                task 3/10, 100 samples/s, ETA 7s
                """.formatted(Path.of("run", "version-120")));
    }

    @Test
    void an_absence_and_its_end_are_lines() {
        ConsoleReport report = ConsoleReport.to(out, false);

        report.accept(new TrainingEvent.ReplicaAbsent(
                "ps-0", Duration.ofSeconds(20), "3 workers and the checkpoint wait for it", false));
        report.accept(new TrainingEvent.ReplicaReturned("ps-0", Duration.ofSeconds(35)));

        assertThat(text()).isEqualTo("""
                ps-0 is absent for 20s; 3 workers and the checkpoint wait for it
                ps-0 has returned after 35s
                """);
    }

    @Test
    void without_a_terminal_each_tenth_of_tasks_is_a_line() {
        ConsoleReport report = ConsoleReport.to(out, false);

        for (int done = 1; done <= 4; done++) {
            report.accept(at(done, 10L * done));
        }

        assertThat(text()).isEqualTo("""
                task 2/20, epoch 1/4, 500 samples/s, loss 0.250, ETA 4s
                task 4/20, epoch 1/4, 500 samples/s, loss 0.250, ETA 4s
                """);
    }

    @Test
    void more_than_ten_epochs_print_each_tenth_start() {
        ConsoleReport report = ConsoleReport.to(out, false);
        report.accept(new TrainingEvent.Progressed(
                new Progress(0, 100, 1, 1000, 7, 7000, 7, 0.25, 500, Duration.ofMillis(10))));
        for (int epoch = 1; epoch < 31; epoch++) {
            report.accept(new TrainingEvent.EpochStarted(epoch, 10));
        }

        assertThat(text()).isEqualTo("Starting epoch 11\nStarting epoch 21\nStarting epoch 31\n");
    }

    @Test
    void end_terminates_the_progress_line_once() {
        ConsoleReport report = ConsoleReport.to(out, true);
        report.accept(at(1, 0));
        report.end();
        report.end();
        report.line("Interrupted");

        assertThat(text())
                .isEqualTo("\r\u001b[2Ktask 1/20, epoch 1/4, 500 samples/s, loss 0.250, ETA 4s\nInterrupted\n");
    }

    @Test
    void terminal_repaints_progress_below_other_lines() {
        ConsoleReport report = ConsoleReport.to(out, true);

        report.accept(at(1, 0));
        report.accept(at(2, 50));
        report.line("hello");
        report.accept(at(20, 60));

        assertThat(text())
                .isEqualTo("\r\u001b[2Ktask 1/20, epoch 1/4, 500 samples/s, loss 0.250, ETA 4s"
                        + "\r\u001b[2Khello\n" + "task 1/20, epoch 1/4, 500 samples/s, loss 0.250, ETA 4s"
                        + "\r\u001b[2Ktask 20/20, epoch 4/4, 500 samples/s, loss 0.250, ETA 0s\n");
    }
}
