package dev.edl.runtime.engine.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LoggedWarnings;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.nio.StepFileSystem;
import dev.edl.runtime.nio.StepFileSystem.Step;
import dev.edl.runtime.ps.group.TestShards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunIdFileTest {
    @TempDir
    Path folder;

    private static Training training(Path directory) {
        return Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(directory)
                .build();
    }

    private TrainingStore open(String run) throws Exception {
        return TrainingStore.open(training(folder), 1, run, Retries.NONE);
    }

    private static void checkpoint(TrainingStore store) throws Exception {
        store.checkpoint(new TestShards(List.of(store.newShard(0)), Duration.ofSeconds(1)).cut(), Map.of());
    }

    /** Leaves a checkpoint. */
    private void trained(String run) throws Exception {
        try (TrainingStore store = open(run)) {
            checkpoint(store);
        }
    }

    private void damage(String text) throws IOException {
        Files.writeString(folder.resolve("run.id"), text);
    }

    @Test
    void the_id_is_synced_to_disk_before_it_has_its_name() throws Exception {
        List<String> steps = new ArrayList<>();
        Path watched = StepFileSystem.path(folder, (step, path) -> {
            if (path.toString().contains("run.id") && (step == Step.FORCE || step == Step.ATOMIC_MOVE)) {
                steps.add(step + " " + path.getFileName());
            }
        });
        TrainingStore.open(training(watched), 1, "run-1", Retries.NONE).close();

        assertThat(steps).containsExactly("FORCE run.id.tmp", "ATOMIC_MOVE run.id.tmp");
        assertThat(folder.resolve("run.id")).hasContent("run-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "run-", "\0\0\0\0\0"})
    void a_run_without_checkpoints_begins_despite_a_damaged_id(String text) throws Exception {
        open("run-1").close();
        damage(text);

        try (LoggedWarnings log = new LoggedWarnings(RunIdFile.class);
                TrainingStore next = open("run-1")) {
            assertThat(next.continues()).isFalse();
            assertThat(log.lines())
                    .containsExactly(folder.resolve("run.id") + " must have a run's id, for example run-7f3a, but has "
                            + (text.isEmpty() ? "none" : text.length() + " damaged characters")
                            + "; the directory has no checkpoint. Run run-1 starts without a checkpoint; running"
                            + " parameter servers keep their state");
        }
        assertThat(folder.resolve("run.id")).hasContent("run-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "run-", "\0\0\0\0\0"})
    void a_checkpoint_that_names_the_run_is_continued_despite_a_damaged_id(String text) throws Exception {
        trained("run-1");
        damage(text);

        try (LoggedWarnings log = new LoggedWarnings(RunIdFile.class);
                TrainingStore next = open("run-1")) {
            assertThat(next.continues()).isTrue();
            assertThat(next.newestCheckpoint()).contains(folder.resolve("version-0"));
            assertThat(log.lines())
                    .containsExactly(folder.resolve("run.id") + " must have a run's id, for example run-7f3a, but has "
                            + (text.isEmpty() ? "none" : text.length() + " damaged characters")
                            + "; checkpoint version-0 names this run, run-1, so the run continues with it");
        }
        assertThat(folder.resolve("run.id")).hasContent("run-1");
    }

    @Test
    void a_checkpoint_that_names_the_run_is_continued_without_the_file() throws Exception {
        trained("run-1");
        Files.delete(folder.resolve("run.id"));

        try (LoggedWarnings log = new LoggedWarnings(RunIdFile.class);
                TrainingStore next = open("run-1")) {
            assertThat(next.continues()).isTrue();
            assertThat(log.lines())
                    .containsExactly(folder.resolve("run.id") + " is missing; checkpoint version-0 names this run,"
                            + " run-1, so the run continues with it");
        }
    }

    @Test
    void checkpoints_that_name_no_run_are_neither_used_nor_deleted_if_the_id_is_damaged() throws Exception {
        try (TrainingStore unnamed = TrainingStore.open(training(folder), 1)) {
            checkpoint(unnamed);
        }
        damage("");

        try (LoggedWarnings log = new LoggedWarnings(RunIdFile.class);
                TrainingStore next = open("run-1")) {
            assertThat(next.continues()).isFalse();
            assertThat(next.newestCheckpoint()).isEmpty();
            assertThat(next.saved(0)).isEqualTo(Optional.empty());
            assertThat(log.lines())
                    .containsExactly(folder.resolve("run.id") + " must have a run's id, for example run-7f3a, but has"
                            + " none; its checkpoints name no run and were moved to ["
                            + folder.resolve("abandoned/version-0")
                            + "]. Run run-1 starts without a checkpoint; running parameter servers keep their state");
        }
        assertThat(folder.resolve("abandoned/version-0")).isDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "run-1"})
    void checkpoints_that_name_another_run_are_refused(String text) throws Exception {
        trained("run-1");
        damage(text);

        assertThatThrownBy(() -> open("run-2"))
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessageContaining(
                        "checkpointDirectory holds checkpoints of an earlier run: " + folder.resolve("version-0"));
        assertThat(folder.resolve("version-0")).isDirectory();
        assertThat(folder.resolve("run.id")).hasContent(text);
    }
}
