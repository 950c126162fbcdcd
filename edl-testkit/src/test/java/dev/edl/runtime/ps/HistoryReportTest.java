package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.RunRecorder;
import dev.edl.testkit.history.History;
import dev.edl.testkit.history.HistoryChecker;
import dev.edl.testkit.history.HistoryReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryReportTest {
    @TempDir
    Path folder;

    @Test
    void truncated_history_is_valid_but_incomplete() throws Exception {
        Path file = folder.resolve("a.history");
        List<HistoryEvent> events = new ObservedRun().events();
        try (RunRecorder recorder = RunRecorder.to(file, (HistoryEvent.Began) events.get(0))) {
            recorder.taskCompleted(0, 0);
            recorder.confirmed(0, 0);
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        HistoryReport report = HistoryChecker.check(History.read(file));

        assertThat(report.holds()).isTrue();
        assertThat(report.complete()).isFalse();
        assertThat(report)
                .hasToString("holds: 0 pushes sent, 0 taken in 0 updates, staleness at most 0, 0 restores, 0 pushes"
                        + " lost, 0 of them redone; the training did not end; the last 10 bytes, from offset "
                        + (whole.length - 11) + ", are not a complete event");
    }

    @Test
    void violations_follow_the_first_line() throws Exception {
        ObservedRun run = new ObservedRun();
        run.completes = 25;

        assertThat(run.check())
                .hasToString("DOES NOT HOLD: 36 pushes sent, 56 taken in 32 updates, staleness at most 1, 1 restores,"
                        + " 8 pushes lost, 8 of them redone, 32 updates replayed" + System.lineSeparator()
                        + "event 231, TASKS: the task of pushes 0 to 24 was counted as done, but push 24 was"
                        + " not confirmed");
    }
}
