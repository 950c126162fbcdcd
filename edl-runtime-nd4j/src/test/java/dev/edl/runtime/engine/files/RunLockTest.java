package dev.edl.runtime.engine.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.ports.AcquireRetry;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.inprocess.LoggedWarnings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLockTest {
    @TempDir
    Path folder;

    @Test
    void a_directory_belongs_to_one_run_in_every_file_system() throws IOException {
        try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix());
                FileSystem simple = withoutLocks()) {
            for (Path directory : new Path[] {folder, memory.getPath("/run"), simple.getPath("/run")}) {
                RunLock first = RunLock.take(directory);
                assertThatThrownBy(() -> RunLock.take(directory))
                        .isInstanceOf(InvalidTrainingException.class)
                        .hasMessageContaining("checkpointDirectory " + directory
                                + " is in use by another run; give each run its own directory");
                first.close();
                RunLock.take(directory).close();
            }
        }
    }

    @Test
    void without_locks_the_file_of_a_killed_run_is_named() throws IOException {
        try (FileSystem simple = withoutLocks()) {
            Path directory = simple.getPath("/run");
            try (RunLock lock = RunLock.take(directory)) {
                assertThat(directory.resolve("run.exclusive")).exists();
            }
            assertThat(directory.resolve("run.exclusive")).doesNotExist();

            Files.createFile(directory.resolve("run.exclusive"));
            assertThatThrownBy(() -> RunLock.take(directory))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageContaining(
                            "checkpointDirectory /run is on a file system without locks, and /run/run.exclusive"
                                    + " marks it as used by another run; delete that file if no run uses it");
            assertThat(directory.resolve("run.exclusive")).exists();
            Files.delete(directory.resolve("run.exclusive"));
            RunLock.take(directory).close();
        }
    }

    @Test
    void a_master_waits_for_the_lock_of_an_earlier_one() throws Exception {
        RunLock earlier = RunLock.take(folder);
        try (LoggedWarnings log = new LoggedWarnings(AcquireRetry.class)) {
            List<Integer> warnings = new ArrayList<>();
            AcquireRetry retry = Retries.of(Duration.ofMinutes(1), waited -> {
                warnings.add(log.lines().size());
                if (waited.toSeconds() >= 12) {
                    close(earlier);
                }
            });
            RunLock.take(folder, "run-1", retry).close();

            assertThat(warnings).startsWith(0, 0, 0, 0, 0, 0).endsWith(1, 1);
            assertThat(log.lines())
                    .containsExactly("waiting for checkpointDirectory's lock " + folder.resolve("run.lock")
                            + ", which another process holds; after 1m, the training's absenceTimeout, this process"
                            + " ends to be restarted: " + folder.resolve("run.lock") + " is held in this process");
        }
    }

    @Test
    void a_lock_that_stays_held_makes_the_master_try_again() throws Exception {
        List<Duration> waits = new ArrayList<>();
        try (RunLock earlier = RunLock.take(folder);
                LoggedWarnings log = new LoggedWarnings(AcquireRetry.class)) {
            assertThatThrownBy(() -> RunLock.take(folder, "run-1", Retries.of(Duration.ofSeconds(30), waits::add)))
                    .isInstanceOf(TryAgainException.class)
                    .hasMessage("checkpointDirectory's lock " + folder.resolve("run.lock")
                            + " is still held by another process after 30s, the training's absenceTimeout: "
                            + folder.resolve("run.lock") + " is held in this process");
            assertThat(log.lines()).hasSize(1);
            assertThat(earlier).isNotNull();
        }
        // 50, 100, 200, 400, 800 ms, then 28 times 1 s, and the rest of 450 ms.
        assertThat(waits)
                .hasSize(5 + 28 + 1 + 1)
                .startsWith(Duration.ZERO, Duration.ofMillis(50))
                .endsWith(Duration.ofMillis(29_550), Duration.ofSeconds(30));
    }

    @Test
    void a_stopped_master_waits_no_longer_for_the_lock() throws Exception {
        ReplicaContext context = new ReplicaContext("master", 0);
        context.stop();
        try (RunLock earlier = RunLock.take(folder)) {
            assertThatThrownBy(() ->
                            RunLock.take(folder, "run-1", Retries.of(Duration.ofMinutes(1), waited -> context.check())))
                    .isInstanceOf(ReplicaStoppedException.class);
            assertThat(earlier).isNotNull();
        }
    }

    @Test
    void without_locks_a_master_takes_over_the_file_of_its_own_run_only() throws Exception {
        try (FileSystem simple = withoutLocks()) {
            Path directory = Files.createDirectory(simple.getPath("/run"));
            Path exclusive = directory.resolve("run.exclusive");
            try (RunLock first = RunLock.take(directory, "run-1", Retries.NONE)) {
                assertThat(first).isNotNull();
                assertThat(exclusive).hasContent("run-1");
            }
            assertThat(exclusive).doesNotExist();

            Files.writeString(exclusive, "run-1");
            assertThatThrownBy(() -> RunLock.take(directory, "run-2", Retries.NONE))
                    .isInstanceOf(InvalidTrainingException.class)
                    .hasMessageContaining(
                            "checkpointDirectory /run is on a file system without locks, and /run/run.exclusive"
                                    + " marks it as used by run run-1; delete that file if no run uses it");
            assertThatThrownBy(() -> RunLock.take(directory)).hasMessageContaining("used by run run-1");
            RunLock.take(directory, "run-1", Retries.NONE).close();
            assertThat(exclusive).doesNotExist();
        }
    }

    @Test
    void without_locks_an_empty_file_belongs_to_the_run_of_the_directory() throws Exception {
        try (FileSystem simple = withoutLocks()) {
            Path directory = Files.createDirectory(simple.getPath("/run"));
            Files.createFile(directory.resolve("run.exclusive"));
            assertThatThrownBy(() -> RunLock.take(directory, "run-1", Retries.NONE))
                    .hasMessageContaining("used by another run");

            Files.writeString(directory.resolve("run.id"), "run-1");
            assertThatThrownBy(() -> RunLock.take(directory, "run-2", Retries.NONE))
                    .hasMessageContaining("used by another run");
            RunLock.take(directory, "run-1", Retries.NONE).close();
        }
    }

    private static void close(RunLock lock) {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileSystem withoutLocks() {
        return Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setSupportedFeatures(Feature.LINKS)
                .build());
    }
}
