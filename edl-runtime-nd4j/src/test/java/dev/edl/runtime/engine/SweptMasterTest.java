package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.TrainingResult;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills a master at each of its steps: ledger, record, pins, callback calls. A build takes every third step, with
 * different steps for runs with and without the ledger; {@code -Dedl.swept.stride=1} takes all.
 */
class SweptMasterTest {
    private static final int STRIDE = Integer.getInteger("edl.swept.stride", 3);

    private static final List<String> EVALUATIONS = List.of(
            "evaluation 20 of 20",
            "evaluation 40 of 40",
            "evaluation 60 of 60",
            "evaluation 80 of 80",
            "evaluation 100 of 100",
            "evaluation 104 of 104");

    /** In memory, because thousands of checkpoints with syncs would mostly wait for a disk. */
    private final FileSystem memory = Jimfs.newFileSystem(Configuration.unix());

    @AfterEach
    void close() throws Exception {
        memory.close();
    }

    private SweptTraining training(int killAt, boolean keepsLedger) throws Exception {
        return new SweptTraining(Files.createTempDirectory(memory.getPath("/"), "run"), new Steps(killAt), keepsLedger);
    }

    @Test
    void an_undisturbed_training_stops_at_its_best_version() throws Exception {
        try (SweptTraining run = training(0, true)) {
            TrainingResult result = run.train();

            assertThat(result.stopped()).contains("loss has not been better for 2 evaluations than 1.0 at version 60");
            assertThat(result.model().version()).isEqualTo(60);
            assertThat(result.metrics()).containsEntry("loss", 1.0);
            assertThat(result.steps()).isEqualTo(104);
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            assertThat(run.told)
                    .containsAll(EVALUATIONS)
                    .doesNotHaveDuplicates()
                    .endsWith("end");
            assertThat(run.told)
                    .contains("step 25", "step 100", "checkpoint version-50", "checkpoint version-100", "end");
            assertThat(run.counted).isEqualTo(" 20 40 60 80 100 104");
            assertThat(run.measured.values()).containsOnly(1);
            assertThat(run.masters()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_kill_at_any_step_repeats_no_decision(boolean keepsLedger) throws Exception {
        int points;
        try (SweptTraining whole = training(0, keepsLedger)) {
            TrainingResult expected = whole.train();
            points = whole.steps.count();
            System.out.println("kills of the master " + (keepsLedger ? "with" : "without") + " its ledger: " + points
                    + " points, " + whole.steps.kinds());
            for (int point = keepsLedger ? 1 : Math.min(2, STRIDE); point <= points; point += STRIDE) {
                try (SweptTraining run = training(point, keepsLedger)) {
                    TrainingResult result = run.train();
                    assertSame(run, result, whole, expected, "killed at step " + point);
                }
            }
        }
    }

    private static void assertSame(
            SweptTraining run, TrainingResult result, SweptTraining whole, TrainingResult expected, String point) {
        assertThat(run.masters()).as(point).isEqualTo(2);
        assertThat(result.exactlyOnce()).as(point + ": " + result.proof()).isTrue();
        assertThat(result.steps()).as(point).isEqualTo(expected.steps());
        assertThat(result.stopped()).as(point).isEqualTo(expected.stopped());
        assertThat(result.model().version()).as(point).isEqualTo(60);
        assertThat(result.model().parameters())
                .as(point)
                .containsExactly(expected.model().parameters());
        assertThat(result.metrics()).as(point).isEqualTo(expected.metrics());
        // The curve: each value in the order of the undisturbed run; an event may be repeated.
        assertThat(new LinkedHashSet<>(run.heard.stream()
                        .filter(event -> !event.startsWith("The callback"))
                        .toList()))
                .as(point)
                .containsExactlyElementsOf(new LinkedHashSet<>(whole.heard));
        assertThat(run.heard.stream().filter(event -> event.startsWith("Stopped")))
                .as(point)
                .hasSizeBetween(1, 2);
        assertThat(run.stops).as(point).hasSize(run.ledgers());
        // At most once, and an incomplete call is reported.
        List<String> once =
                run.told.stream().filter(call -> !call.startsWith("step")).toList();
        assertThat(once).as(point).doesNotHaveDuplicates();
        assertThat(whole.told).as(point).containsAll(once);
        long missing = whole.told.stream()
                .filter(call -> !call.startsWith("step") && !once.contains(call))
                .count();
        long cutOff = run.heard.stream()
                .filter(event -> event.startsWith("The callback"))
                .count();
        assertThat(missing).as(point).isLessThanOrEqualTo(cutOff);
        assertThat(cutOff).as(point).isLessThanOrEqualTo(1);
        // At least once.
        assertThat(new HashSet<>(run.told)).as(point).contains("step 25", "step 50", "step 75", "step 100");
        // Exactly once, according to its recorded state.
        assertThat(run.counted).as(point).isEqualTo(whole.counted);
        // A worker whose master died before it recorded the report evaluates again.
        assertThat(run.measured.values().stream().mapToInt(times -> times - 1).sum())
                .as(point)
                .isLessThanOrEqualTo(1);
        assertThat(run.measured.keySet()).as(point).isEqualTo(whole.measured.keySet());
    }
}
