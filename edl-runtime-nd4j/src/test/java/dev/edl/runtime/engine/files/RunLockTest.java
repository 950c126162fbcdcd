package dev.edl.runtime.engine.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.InvalidTrainingException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private static FileSystem withoutLocks() {
        return Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setSupportedFeatures(Feature.LINKS)
                .build());
    }
}
