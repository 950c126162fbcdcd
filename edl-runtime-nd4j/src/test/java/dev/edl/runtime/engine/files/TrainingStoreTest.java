package dev.edl.runtime.engine.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.nio.StepFileSystem;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    void the_next_master_of_a_run_continues_its_checkpoint() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder)
                .build();
        try (TrainingStore first = TrainingStore.open(training, 1, "run-1", Retries.NONE)) {
            assertThat(first.continues()).isFalse();
            TestShards group = new TestShards(List.of(first.newShard(0)), Duration.ofSeconds(1));
            first.checkpoint(group.cut(), Map.of("word", "7"));
        }

        try (TrainingStore next = TrainingStore.open(training, 1, "run-1", Retries.NONE)) {
            assertThat(next.continues()).isTrue();
            assertThat(next.newestCheckpoint()).contains(folder.resolve("version-0"));
            assertThat(next.saved(0)).get().hasToString("version 0");
        }
    }

    @Test
    void another_run_does_not_continue_what_a_run_has_left() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder)
                .build();
        TrainingStore.open(training, 1, "run-1", Retries.NONE).close();

        try (TrainingStore other = TrainingStore.open(training, 1, "run-2", Retries.NONE)) {
            assertThat(other.continues()).isFalse();
        }
    }

    @Test
    void a_changed_program_does_not_continue_the_checkpoint_of_its_run() throws Exception {
        TrainingBuilder program =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).checkpointDirectory(folder);
        try (TrainingStore first = TrainingStore.open(program.build(), 1, "run-1", Retries.NONE)) {
            TestShards group = new TestShards(List.of(first.newShard(0)), Duration.ofSeconds(1));
            first.checkpoint(group.cut(), Map.of());
        }

        assertThatThrownBy(() -> TrainingStore.open(program.seed(8).build(), 1, "run-1", Retries.NONE))
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessageContaining("version-0 belongs to another training: seed was 7, is 8");
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
