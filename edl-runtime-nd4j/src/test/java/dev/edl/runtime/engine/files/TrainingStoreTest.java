package dev.edl.runtime.engine.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.engine.ports.ResourceRetry;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LoggedWarnings;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.nio.StepFileSystem;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.journal.FileJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingStoreTest {
    @TempDir
    Path folder;

    @Test
    void a_returning_server_does_not_wait_for_a_checkpoint_write() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Path slow = StepFileSystem.path(folder, (step, path) -> {
            if (path.endsWith("shard-0-of-1")) {
                writing.countDown();
                Waits.on(go);
            }
        });
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(slow)
                .build();
        try (TrainingStore store = TrainingStore.open(training, 1)) {
            TestShards group = new TestShards(List.of(store.newShard(0)), Duration.ofSeconds(1));
            ShardCut cut = group.cut();
            CompletableFuture<Path> checkpoint = written(store, cut);
            Waits.on(writing);
            try {
                ParameterShard returned = CompletableFuture.supplyAsync(() -> store.newShard(0), Waits.THREADS)
                        .get(30, TimeUnit.SECONDS);
                assertThat(returned.version()).isZero();
                assertThat(checkpoint).isNotDone();
                assertThat(store.newestCheckpoint()).isEmpty();
            } finally {
                go.countDown();
            }
            Path written = checkpoint.get(30, TimeUnit.SECONDS);
            assertThat(store.checkpointOf(cut)).isEqualTo(Optional.of(written));
        }
    }

    @Test
    void a_directory_is_unlocked_after_its_last_write() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Path slow = StepFileSystem.path(folder, (step, path) -> {
            if (path.endsWith("shard-0-of-1")) {
                writing.countDown();
                Waits.on(go);
            }
        });
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(slow)
                .build();
        TrainingStore store = TrainingStore.open(training, 1);
        ShardCut cut = new TestShards(List.of(store.newShard(0)), Duration.ofSeconds(1)).cut();
        CompletableFuture<Path> checkpoint = written(store, cut);
        Waits.on(writing);
        try {
            store.close();
            assertThatThrownBy(() -> RunLock.take(slow))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageContaining("is in use by another run");
        } finally {
            go.countDown();
        }
        checkpoint.get(30, TimeUnit.SECONDS);
        RunLock.take(slow).close();
        assertThatThrownBy(() -> store.checkpoint(cut, Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the run has ended and may no longer write to checkpointDirectory " + slow);
    }

    @Test
    void the_next_master_of_a_run_continues_its_checkpoint_and_its_journal() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder)
                .build();
        try (TrainingStore first = TrainingStore.open(training, 1, "run-1", Retries.NONE);
                FileJournal journal = first.openJournal()) {
            assertThat(first.continues()).isFalse();
            journal.accept(new LedgerEvent.EpochStarted(0));
            TestShards group = new TestShards(List.of(first.newShard(0)), Duration.ofSeconds(1));
            first.checkpoint(group.cut(), Map.of("word", "7"));
        }

        try (TrainingStore next = TrainingStore.open(training, 1, "run-1", Retries.NONE);
                FileJournal journal = next.openJournal()) {
            assertThat(next.continues()).isTrue();
            assertThat(journal.events()).containsExactly(new LedgerEvent.EpochStarted(0));
            assertThat(next.newestCheckpoint()).contains(folder.resolve("version-0"));
            assertThat(next.saved(0)).get().hasToString("version 0");
        }
    }

    @Test
    void a_master_waits_for_the_journal_of_an_earlier_one() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder)
                .build();
        AtomicReference<FileJournal> earlier = new AtomicReference<>();
        ResourceRetry retry = Retries.of(Duration.ofMinutes(1), waited -> {
            try {
                Objects.requireNonNull(earlier.get()).close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (TrainingStore store = TrainingStore.open(training, 1, "run-1", retry)) {
            earlier.set(store.openJournal());
            try (FileJournal journal = store.openJournal()) {
                assertThat(journal.entries()).isZero();
            }
        }
    }

    @Test
    void a_damaged_journal_is_moved_aside_and_the_three_newest_are_kept() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder)
                .build();
        TrainingStore.open(training, 1, "run-1", Retries.NONE).close();
        Path file = folder.resolve("tasks.journal");
        for (int i = 1; i <= 5; i++) {
            Files.writeString(file, "damage " + i);
            try (LoggedWarnings log = new LoggedWarnings(JournalRecovery.class);
                    TrainingStore next = TrainingStore.open(training, 1, "run-1", Retries.NONE);
                    FileJournal journal = next.openJournal()) {
                assertThat(next.continues()).isTrue();
                assertThat(journal.entries()).isZero();
                assertThat(log.lines())
                        .containsExactly(
                                file + ": no journal of tasks: expected the bytes 45444c5441534b31 at offset 0,"
                                        + " found 64616d616765203" + i + "; moved the file to " + file + ".damaged-" + i
                                        + ", and the master recovers its tasks from the parameter servers");
            }
        }
        assertThat(folder.toFile().list((in, name) -> name.startsWith("tasks.journal.damaged")))
                .containsExactlyInAnyOrder(
                        "tasks.journal.damaged-3", "tasks.journal.damaged-4", "tasks.journal.damaged-5");
        assertThat(folder.resolve("tasks.journal.damaged-5")).hasContent("damage 5");
    }

    @Test
    void a_temporary_journal_is_deleted_with_damaged_ones() throws Exception {
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        Path file;
        try (LoggedWarnings log = new LoggedWarnings(JournalRecovery.class);
                TrainingStore store = TrainingStore.open(training, 1)) {
            try (FileJournal journal = store.openJournal()) {
                file = Path.of(journal.toString().replaceFirst(": \\d+ events.*", ""));
            }
            Files.writeString(file, "damage");
            store.openJournal().close();
            assertThat(log.lines()).hasSize(1);
            assertThat(file.resolveSibling("tasks.journal.damaged-1")).isRegularFile();
        }
        assertThat(file.getParent()).doesNotExist();
    }

    @Test
    void another_run_does_not_continue_what_a_run_has_left() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder)
                .build();
        try (TrainingStore first = TrainingStore.open(training, 1, "run-1", Retries.NONE);
                FileJournal journal = first.openJournal()) {
            journal.accept(new LedgerEvent.EpochStarted(0));
        }

        try (TrainingStore other = TrainingStore.open(training, 1, "run-2", Retries.NONE);
                FileJournal journal = other.openJournal()) {
            assertThat(other.continues()).isFalse();
            assertThat(journal.entries()).isZero();
        }
    }

    /** The journal's header refuses nothing, and the checkpoint's entries are not compared. */
    @Test
    void a_changed_program_continues_the_checkpoint_of_its_run() throws Exception {
        TrainingBuilder program =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).checkpointDirectory(folder);
        try (TrainingStore first = TrainingStore.open(program.build(), 1, "run-1", Retries.NONE)) {
            first.openJournal().close();
            TestShards group = new TestShards(List.of(first.newShard(0)), Duration.ofSeconds(1));
            first.checkpoint(group.cut(), Map.of());
        }

        try (LoggedWarnings log = new LoggedWarnings(JournalRecovery.class);
                TrainingStore next = TrainingStore.open(program.seed(8).build(), 1, "run-1", Retries.NONE)) {
            next.openJournal().close();
            assertThat(next.newestCheckpoint()).contains(folder.resolve("version-0"));
            assertThat(log.lines()).hasSize(1).allMatch(line -> line.contains("was written for another training"));
        }
    }

    @Test
    void the_journal_beside_checkpoints_is_synced_soon_after_an_event() throws Exception {
        CountDownLatch synced = new CountDownLatch(1);
        Path watched = StepFileSystem.path(folder, (step, path) -> {
            if (step == StepFileSystem.Step.FORCE && path.endsWith("tasks.journal")) {
                synced.countDown();
            }
        });
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(watched)
                .build();
        try (TrainingStore store = TrainingStore.open(training, 1);
                FileJournal journal = store.openJournal()) {
            journal.accept(new LedgerEvent.EpochStarted(0));
            Waits.on(synced);
            assertThat(journal.entries()).isEqualTo(1);
        }
    }

    private static CompletableFuture<Path> written(TrainingStore store, ShardCut cut) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return store.checkpoint(cut, Map.of());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                Waits.THREADS);
    }
}
