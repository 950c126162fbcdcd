package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.exec.LogLine;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.wire.watch.EventJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MasterLogTest {
    private static final TrainingEvent.Evaluation EVALUATION =
            new TrainingEvent.Evaluation(200, Map.of("accuracy", 0.5));
    private static final Progress PROGRESS = new Progress(0, 1, 3, 4, 192, 256, 3, 0.25, 64, Duration.ofSeconds(3));

    private final MasterLog log = MasterLog.of("unit");

    @AfterEach
    void close() {
        log.close();
    }

    private static LogLine line(String text) {
        return new LogLine("unit", "master", text);
    }

    private static LogLine line(TrainingEvent event) {
        return line(MasterLog.MARK + EventJson.write(event).orElseThrow());
    }

    @Test
    void an_overdue_replica_of_a_pod_is_reported_with_the_command_that_replaces_it() {
        Duration since = Duration.ofSeconds(150);

        assertThat(MasterLog.advised(
                        new TrainingEvent.ReplicaAbsent("ps-0", since, "3 workers wait for it", true), "mnist"))
                .hasToString("ps-0 is absent for 2m30s; 3 workers wait for it; if its pod runs, replace it:"
                        + " kubectl delete pod elasticdl-mnist-ps-0");
        assertThat(MasterLog.advised(
                        new TrainingEvent.ReplicaAbsent(
                                "elasticdl-mnist-worker-3", since, "other workers do its tasks", true),
                        "mnist"))
                .asString()
                .endsWith("replace it: kubectl delete pod elasticdl-mnist-worker-3");
    }

    @Test
    void progress_evaluations_and_the_result_are_read_among_other_lines() {
        log.accept(line("Starting epoch 1"));
        log.accept(line(new TrainingEvent.Progressed(PROGRESS)));
        log.accept(line("Evaluation metrics[step=200]: {accuracy=0.5}"));
        log.accept(line(EVALUATION));
        assertThat(log.result()).isEmpty();
        TrainingSummary summary = new TrainingSummary(
                TaskType.TRAINING,
                4,
                Map.of("accuracy", 0.5),
                true,
                "one\\ntwo",
                Duration.ofSeconds(4),
                256,
                64,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "seed: 7");
        log.accept(line(MasterLog.MARK + SummaryJson.write(summary)));

        assertThat(log.progress()).contains(PROGRESS);
        assertThat(log.evaluations()).containsExactly(EVALUATION);
        assertThat(log.result()).contains(summary);
        assertThat(log).hasToString(PROGRESS.toString());
    }

    @Test
    void a_listener_hears_the_events_in_order() throws Exception {
        List<TrainingEvent> heard = new CopyOnWriteArrayList<>();
        log.accept(line(new TrainingEvent.Progressed(PROGRESS)));
        log.onTraining(heard::add);
        log.accept(line(EVALUATION));
        log.drain(Duration.ofSeconds(10));

        assertThat(heard).containsExactly(new TrainingEvent.Progressed(PROGRESS), EVALUATION);
    }

    @Test
    void a_line_that_is_cut_and_a_note_tell_nothing() {
        String whole = line(EVALUATION).text();
        log.accept(line(whole.substring(0, whole.length() - 1)));
        log.accept(new LogLine("unit", "master", whole, true));

        assertThat(log.evaluations()).isEmpty();
        assertThat(log).hasToString("no progress yet");
    }

    @Test
    void the_newest_thousand_evaluations_are_kept() {
        for (int step = 1; step <= 1001; step++) {
            log.accept(line(new TrainingEvent.Evaluation(step, Map.of())));
        }

        assertThat(log.evaluations()).hasSize(1000);
        assertThat(log.evaluations().get(0).step()).isEqualTo(2);
    }

    @Test
    void an_event_after_an_unfinished_line_is_read() {
        log.accept(line("..." + line(EVALUATION).text()));

        assertThat(log.evaluations()).containsExactly(EVALUATION);
    }

    @Test
    void a_time_that_is_none_ends_nothing() {
        log.accept(line(line(new TrainingEvent.Progressed(PROGRESS)).text().replace("PT3S", "x")));
        log.accept(line(EVALUATION));

        assertThat(log.evaluations()).containsExactly(EVALUATION);
    }

    @Test
    void evaluations_of_lost_parameters_are_forgotten_and_none_is_stored_twice() {
        log.accept(line(EVALUATION));
        log.accept(line(EVALUATION));
        assertThat(log.evaluations()).containsExactly(EVALUATION);

        log.accept(line(new TrainingEvent.BegunAnew()));
        assertThat(log.evaluations()).isEmpty();
    }
}
