package dev.edl.runtime.internal.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    @TempDir
    Path folder;

    @Test
    void a_write_that_fails_midway_leaves_the_old_file_alone() throws IOException {
        Path file = Files.writeString(folder.resolve("model"), "old");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write("ne".getBytes(UTF_8));
                    throw new IOException("No space left on device");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": cannot be written: IOException: No space left on device");
        assertThat(file).hasContent("old");
        assertThat(folder.toFile().list()).containsExactly("model");
    }

    @Test
    void an_interrupted_thread_writes_and_stays_interrupted() throws IOException {
        Path file = Files.writeString(folder.resolve("model"), "old");
        try {
            Thread.currentThread().interrupt();
            AtomicFile.write(file, out -> out.write("new".getBytes(UTF_8)));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(file).hasContent("new");
        assertThat(folder.toFile().list()).containsExactly("model");
    }

    @Test
    void a_folder_that_is_missing_is_named() {
        Path file = folder.resolve("none/model");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": cannot be written: NoSuchFileException: " + file + ".tmp");
    }
}
