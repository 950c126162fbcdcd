package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.EventHub;
import dev.edl.runtime.proof.TaskType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventTailTest {
    private static final TrainingEvent LOST = new TrainingEvent.EvaluationLost(7);

    private static final TrainingSummary SUMMARY = new TrainingSummary(
            TaskType.TRAINING,
            12,
            Map.of("accuracy", 0.5),
            true,
            "one\ntwo",
            Duration.ofMillis(1500),
            48,
            32,
            Optional.of(Path.of("checkpoints", "version-12")),
            Optional.empty(),
            Optional.empty(),
            Optional.of("enough"),
            "seed: 7");

    @TempDir
    Path folder;

    private final List<TrainingEvent> told = new CopyOnWriteArrayList<>();
    private EventHub hub;
    private EventTail tail;

    @BeforeEach
    void follow() {
        hub = new EventHub("unit", List.of(told::add));
        tail = new EventTail(SubmitterEventWriter.file(folder, "run"), hub);
    }

    @AfterEach
    void close() {
        hub.close();
    }

    private SubmitterEventWriter master() throws IOException {
        return SubmitterEventWriter.of(Map.of(SubmitterEventWriter.VARIABLE, folder.toString()), "run");
    }

    private List<TrainingEvent> told() throws InterruptedException {
        tail.poll();
        hub.drain(Duration.ofSeconds(10));
        return told;
    }

    private static TrainingEvent progressed(int done, int tasks, long millis) {
        return new TrainingEvent.Progressed(
                new Progress(0, 1, done, tasks, done, tasks, done, 0.5, 1, Duration.ofMillis(millis)));
    }

    @Test
    void a_submitter_receives_the_masters_events_and_the_result() throws Exception {
        assertThat(told()).isEmpty();
        try (SubmitterEventWriter master = master()) {
            master.accept(LOST);
            assertThat(told()).containsExactly(LOST);
            master.accept(new TrainingEvent.BegunAnew());
            master.result(SUMMARY);
        }

        assertThat(told()).containsExactly(LOST, new TrainingEvent.BegunAnew());
        assertThat(tail.summary()).contains(SUMMARY);
    }

    @Test
    void an_incomplete_line_of_a_killed_master_hides_no_later_line() throws Exception {
        Files.writeString(
                SubmitterEventWriter.file(folder, "run"), "{\"kind\":\"Evalua", StandardOpenOption.CREATE_NEW);
        assertThat(told()).isEmpty();

        try (SubmitterEventWriter next = master()) {
            next.accept(LOST);
        }

        assertThat(told()).containsExactly(LOST);
    }

    @Test
    void progress_is_reported_per_thousandth_of_the_time_and_at_the_end() throws Exception {
        TrainingEvent end = progressed(4, 4, 100_011);
        try (SubmitterEventWriter master = master()) {
            master.accept(progressed(1, 4, 100_000));
            tail.poll();
            master.accept(progressed(2, 4, 100_010));
            tail.poll();
            assertThat(tail.progress().orElseThrow().tasksDone()).isEqualTo(1);
            master.accept(progressed(3, 4, 100_100));
            tail.poll();
            assertThat(tail.progress().orElseThrow().tasksDone()).isEqualTo(3);
            master.accept(end);
        }

        assertThat(told()).endsWith(end);
    }

    @Test
    void nothing_is_written_where_no_submitter_asks_for_it() throws Exception {
        try (SubmitterEventWriter master = SubmitterEventWriter.of(Map.of(), "run")) {
            master.accept(LOST);
        }

        assertThat(folder).isEmptyDirectory();
    }
}
