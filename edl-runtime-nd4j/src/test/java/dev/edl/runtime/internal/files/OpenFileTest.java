package dev.edl.runtime.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.nio.StepFileSystem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenFileTest {
    @TempDir
    Path folder;

    private FileSystem memory;
    private FileSystem simple;

    @BeforeEach
    void open() {
        memory = Jimfs.newFileSystem(Configuration.unix());
        simple = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setSupportedFeatures(Feature.LINKS)
                .build());
    }

    @AfterEach
    void close() throws IOException {
        memory.close();
        simple.close();
    }

    private Path file(String kind) throws IOException {
        Path root = switch (kind) {
            case "default" -> folder;
            case "memory" -> memory.getPath("/work");
            default -> simple.getPath("/work");
        };
        return root.resolve("file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "memory", "simple"})
    void bytes_are_written_and_read_at_any_offset(String kind) throws IOException {
        Path path = file(kind);
        try (OpenFile file =
                OpenFile.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            file.write(ByteBuffer.wrap(new byte[] {3, 4}), 2);
            file.write(ByteBuffer.wrap(new byte[] {1, 2}), 0);
            file.force();
            ByteBuffer middle = ByteBuffer.allocate(2);
            assertThat(file.read(middle, 1)).isTrue();
            assertThat(middle.array()).containsExactly(2, 3);
            ByteBuffer beyond = ByteBuffer.allocate(3);
            assertThat(file.read(beyond, 3)).isFalse();
            assertThat(beyond.position()).isEqualTo(1);
            file.truncate(3);
            assertThat(file.size()).isEqualTo(3);
        }
        assertThat(Files.readAllBytes(path)).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "memory", "simple"})
    void an_interrupted_thread_can_use_it_and_stays_interrupted(String kind) throws IOException {
        byte[] large = new byte[3 << 20];
        large[large.length - 1] = 7;
        Path path = file(kind);
        try (OpenFile file = OpenFile.create(path);
                OutputStream out = file.output()) {
            Thread.currentThread().interrupt();
            out.write(large);
            file.force();
            assertThat(Thread.interrupted()).isTrue();
            out.write(8);
        } finally {
            Thread.interrupted();
        }
        try (InputStream in = OpenFile.read(path).input(large.length - 1)) {
            Thread.currentThread().interrupt();
            assertThat(in.readAllBytes()).containsExactly(7, 8);
            assertThat(Thread.interrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    @Timeout(60)
    void an_interrupt_at_any_moment_loses_no_data() throws Exception {
        int pieces = 2000;
        Path path = folder.resolve("file");
        try (OpenFile file =
                OpenFile.hold(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            CompletableFuture<Void> written = new CompletableFuture<>();
            Thread writer = new Thread(
                    () -> {
                        try {
                            writeAndRead(file, pieces);
                            written.complete(null);
                        } catch (IOException | RuntimeException | Error e) {
                            written.completeExceptionally(e);
                        }
                    },
                    "writer");
            writer.start();
            while (!written.isDone()) {
                writer.interrupt();
                Thread.onSpinWait();
            }
            written.get();
            assertThat(file.size()).isEqualTo((long) pieces * Integer.BYTES);
            assertThatThrownBy(() -> OpenFile.hold(path, StandardOpenOption.WRITE))
                    .isInstanceOf(FileLockedException.class);
        }
        ByteBuffer whole = ByteBuffer.wrap(Files.readAllBytes(path));
        for (int i = 0; i < pieces; i++) {
            assertThat(whole.getInt()).isEqualTo(i);
        }
    }

    private static void writeAndRead(OpenFile file, int pieces) throws IOException {
        ByteBuffer back = ByteBuffer.allocate(Integer.BYTES);
        for (int i = 0; i < pieces; i++) {
            long offset = (long) i * Integer.BYTES;
            file.write(ByteBuffer.allocate(Integer.BYTES).putInt(i).flip(), offset);
            back.clear();
            file.read(back, offset);
            assertThat(back.getInt(0)).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "memory", "simple"})
    void a_file_is_held_by_one_at_a_time(String kind) throws IOException {
        Path path = Files.createFile(prepared(file(kind)));
        Path spelled = path.resolveSibling(".").resolve("file");
        OpenFile held = OpenFile.hold(path, StandardOpenOption.WRITE);
        assertThat(held.excludesProcesses()).isEqualTo(!kind.equals("simple"));
        assertThatThrownBy(() -> OpenFile.hold(spelled, StandardOpenOption.WRITE))
                .isInstanceOfSatisfying(
                        FileLockedException.class, e -> assertThat(e.here()).isTrue())
                .hasMessage(spelled + " is held in this process");
        held.close();
        held.close();
        OpenFile.hold(spelled, StandardOpenOption.WRITE).close();
    }

    private static Path prepared(Path file) throws IOException {
        Path parent = file.getParent();
        assertThat(parent).isNotNull();
        Files.createDirectories(parent);
        return file;
    }

    @Test
    void a_file_with_a_lost_lock_is_not_written() throws IOException {
        AtomicInteger locks = new AtomicInteger();
        Path path = StepFileSystem.path(folder.resolve("file"), (step, at) -> {
            if (step == StepFileSystem.Step.LOCK && locks.incrementAndGet() > 1) {
                throw new IOException("No locks available");
            }
            if (step == StepFileSystem.Step.FORCE) {
                Thread.currentThread().interrupt();
            }
        });
        try (OpenFile held = OpenFile.hold(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            assertThat(held.excludesProcesses()).isTrue();
            assertThatThrownBy(held::force).hasMessage(path + ": the lock was lost when a thread was interrupted");
            assertThat(Thread.interrupted()).isTrue();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> held.write(ByteBuffer.allocate(1), 0))
                        .isInstanceOf(IOException.class)
                        .hasMessage(path + ": the lock was lost when a thread was interrupted");
            }
        }
        assertThat(folder.resolve("file")).isEmptyFile();
    }

    @Test
    void a_file_that_cannot_be_opened_is_not_held() throws IOException {
        Path path = folder.resolve("none");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> OpenFile.hold(path, StandardOpenOption.WRITE))
                    .isInstanceOf(NoSuchFileException.class);
        }
        OpenFile.hold(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE).close();
    }

    @Test
    void a_closed_file_refuses_to_be_used() throws IOException {
        OpenFile file = OpenFile.create(folder.resolve("file"));
        file.close();
        assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 0)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void gzip_streams_one_behind_the_other_are_all_read() throws IOException {
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        for (byte value : List.of((byte) 1, (byte) 2)) {
            try (GZIPOutputStream zip = new GZIPOutputStream(two)) {
                zip.write(value);
            }
        }
        Path path = Files.write(folder.resolve("two.gz"), two.toByteArray());
        // A buffer of the first stream's size, so that only the file knows of the second one.
        try (InputStream in = new GZIPInputStream(OpenFile.read(path).input(0), two.size() / 2)) {
            assertThat(in.readAllBytes()).containsExactly(1, 2);
        }
    }

    @Test
    void closing_deletes_a_local_copy() throws IOException {
        Path far = Files.writeString(file("memory"), "content");
        Path near = Files.writeString(folder.resolve("near"), "content");
        Path copy;
        try (LocalFile local = LocalFile.of(far)) {
            copy = local.file().toPath();
            assertThat(copy).hasContent("content");
        }
        assertThat(copy).doesNotExist();
        try (LocalFile local = LocalFile.of(near)) {
            assertThat(local.file().toPath()).isEqualTo(near);
        }
        assertThat(near).exists();
    }
}
