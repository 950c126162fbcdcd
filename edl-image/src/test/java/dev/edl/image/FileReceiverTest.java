package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sends messages to a receiver, as another program may send them. */
@Timeout(60)
class FileReceiverTest {
    @TempDir
    Path files;

    @Test
    void names_that_leave_the_folder_are_refused() {
        for (String name : new String[] {"../x", "a/../../x", "/x", "a//x", "./x", "a/", ".."}) {
            for (int kind : new int[] {FileSender.FOLDER, FileSender.FILE}) {
                assertThatThrownBy(() -> received(files.resolve("out"), to -> {
                            to.write(kind);
                            to.writeUTF(name);
                        }))
                        .isInstanceOf(TransferRejectedException.class)
                        .hasMessageStartingWith("\"" + name + "\" must be a relative path without");
            }
        }
        assertThat(files).isEmptyDirectory();
    }

    @Test
    void a_damaged_file_is_refused_with_both_digests_and_leaves_the_old_one() throws Exception {
        Path old = file("out/a.bin", bytes(5, 7));
        byte[] whole = bytes(2, 100);
        byte[] damaged = whole.clone();
        damaged[50]++;

        assertThatThrownBy(() -> received(files.resolve("out"), to -> {
                    to.write(FileSender.FILE);
                    to.writeUTF("a.bin");
                    to.write(FileDigest.sha256().digest(whole));
                    to.writeLong(whole.length);
                    to.write(damaged);
                    // The receiver asks a second time.
                    to.write(damaged);
                }))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessageContaining("its SHA-256 must be " + digest(whole) + ", was " + digest(damaged));
        assertThat(files.resolve("out").toFile().list()).containsExactly("a.bin");
        assertThat(old).hasBinaryContent(bytes(5, 7));
    }

    @Test
    void a_file_that_is_larger_than_the_disk_is_refused_before_it_travels() {
        assertThatThrownBy(() -> received(files, to -> {
                    to.write(FileSender.FILE);
                    to.writeUTF("a.bin");
                    to.write(new byte[ClassPathReceiver.DIGEST_BYTES]);
                    to.writeLong(Long.MAX_VALUE);
                }))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessageStartingWith(files.resolve("a.bin") + " was not written: its disk has ")
                .hasMessageEndingWith(" bytes left, but " + Long.MAX_VALUE + " are needed");
        assertThat(files).isEmptyDirectory();
    }

    @Test
    void a_part_that_another_transfer_writes_is_left_alone() throws Exception {
        byte[] content = bytes(2, 100);
        Path part = Files.write(part(files, content), Arrays.copyOf(content, 60));
        try (FileChannel other = FileChannel.open(part, StandardOpenOption.WRITE)) {
            assertThat(other.tryLock()).isNotNull();
            assertThatThrownBy(() -> received(files, file("a.bin", content, 0))).isInstanceOf(EOFException.class);
            assertThat(files.resolve("a.bin")).hasBinaryContent(content);
            other.write(ByteBuffer.wrap(new byte[80]), 0);
        }
        assertThat(files.resolve("a.bin")).hasBinaryContent(content);
        assertThat(files.toFile().list()).hasSize(2);
    }

    @Test
    void a_part_that_is_no_file_is_left_alone() throws Exception {
        byte[] content = bytes(2, 100);
        Files.createDirectories(part(files, content).resolve("folder"));

        assertThatThrownBy(() -> received(files, file("a.bin", content, 0))).isInstanceOf(EOFException.class);

        assertThat(files.resolve("a.bin")).hasBinaryContent(content);
        assertThat(files.toFile().list()).hasSize(2);
    }

    @Test
    void a_part_stays_when_the_disk_has_too_little_space() throws Exception {
        byte[] digest = new byte[ClassPathReceiver.DIGEST_BYTES];
        Path part = Files.write(files.resolve(".edl-" + "0".repeat(64) + ".part"), new byte[10]);

        assertThatThrownBy(() -> received(files, to -> {
                    to.write(FileSender.FILE);
                    to.writeUTF("a.bin");
                    to.write(digest);
                    to.writeLong(Long.MAX_VALUE);
                }))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessageMatching(Pattern.quote(files.resolve("a.bin") + " was not written: its disk has ")
                        + "[1-9][0-9]* bytes left, but "
                        + Pattern.quote((Long.MAX_VALUE - 10) + " are needed; " + part
                                + " has the first 10 bytes for the next transfer"));
        assertThat(part).hasBinaryContent(new byte[10]);
    }

    @Test
    void a_part_that_was_removed_does_not_publish_the_part_of_another_transfer() throws Exception {
        byte[] content = bytes(2, 100);
        Path part = part(files, content);
        AtomicBoolean replaced = new AtomicBoolean();
        TransferCounters replacing = new TransferCounters(progress -> {
            if (!replaced.getAndSet(true)) {
                try {
                    Files.move(part, files.resolve("removed"));
                    Files.write(part, new byte[5]);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        file("a.bin", content, 0).write(new DataOutputStream(sent));
        sent.write(content);
        sent.write(FileSender.END);

        FileReceiver.receive(
                files,
                new DataInputStream(new ByteArrayInputStream(sent.toByteArray())),
                new DataOutputStream(OutputStream.nullOutputStream()),
                "",
                replacing);

        assertThat(files.resolve("a.bin")).hasBinaryContent(content);
        assertThat(part).hasBinaryContent(new byte[5]);
    }

    @Test
    void a_part_that_this_user_may_not_write_is_left_alone() throws Exception {
        byte[] content = bytes(2, 100);
        Path part = Files.write(part(files, content), new byte[5]);
        Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("r--r--r--"));
        // The user root may write each file.
        assumeFalse(Files.isWritable(part));

        assertThatThrownBy(() -> received(files, file("a.bin", content, 0))).isInstanceOf(EOFException.class);

        assertThat(files.resolve("a.bin")).hasBinaryContent(content);
        assertThat(part).hasBinaryContent(new byte[5]);
    }

    @Test
    void a_part_that_is_a_pipe_is_left_alone() throws Exception {
        byte[] content = bytes(2, 100);
        Path part = part(files, content);
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")));
        assertThat(new ProcessBuilder("/usr/bin/mkfifo", part.toString())
                        .start()
                        .waitFor())
                .isZero();

        assertThatThrownBy(() -> received(files, file("a.bin", content, 0))).isInstanceOf(EOFException.class);

        assertThat(files.resolve("a.bin")).hasBinaryContent(content);
        assertThat(part).exists();
    }

    @Test
    void a_negative_length_is_refused() {
        assertThatThrownBy(() -> received(files, to -> {
                    to.write(FileSender.FILE);
                    to.writeUTF("a.bin");
                    to.write(new byte[ClassPathReceiver.DIGEST_BYTES]);
                    to.writeLong(-5);
                }))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessageEndingWith("a.bin was not written: its length must not be negative, was -5");
        assertThat(files).isEmptyDirectory();
    }

    @Test
    void only_old_unfinished_files_of_the_visited_folders_are_removed() throws Exception {
        Messages folderAndEnd = to -> {
            to.write(FileSender.TOTAL);
            to.writeLong(0);
            to.writeLong(0);
            to.write(FileSender.FOLDER);
            to.writeUTF("in");
            to.write(FileSender.END);
        };
        long day = TimeUnit.DAYS.toMillis(1);
        for (String folder : new String[] {"in", "other"}) {
            for (String name : new String[] {".edl-" + "0".repeat(64) + ".part", ".edl-" + "1".repeat(64) + ".part"}) {
                Path part = file(folder + "/" + name, bytes(2, 10));
                Files.setLastModifiedTime(part, FileTime.fromMillis(name.contains("0") ? 5000 : 6000));
            }
            Files.setLastModifiedTime(file(folder + "/mine.part", bytes(2, 10)), FileTime.fromMillis(0));
        }

        received(files, folderAndEnd, () -> 6000 + day);

        assertThat(files.resolve("in").toFile().list())
                .containsExactlyInAnyOrder(".edl-" + "1".repeat(64) + ".part", "mine.part");
        assertThat(files.resolve("other").toFile().list()).hasSize(3);
    }

    /** Messages of a sender. */
    private interface Messages {
        void write(DataOutputStream to) throws IOException;
    }

    private static Messages file(String name, byte[] content, int from) {
        return to -> {
            to.write(FileSender.FILE);
            to.writeUTF(name);
            to.write(FileDigest.sha256().digest(content));
            to.writeLong(content.length);
            to.write(content, from, content.length - from);
        };
    }

    private static void received(Path folder, Messages messages) throws IOException {
        received(folder, messages, System::currentTimeMillis);
    }

    private static void received(Path folder, Messages messages, LongSupplier clock) throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        messages.write(new DataOutputStream(sent));
        FileReceiver.receive(
                folder,
                new DataInputStream(new ByteArrayInputStream(sent.toByteArray())),
                new DataOutputStream(OutputStream.nullOutputStream()),
                "",
                new TransferCounters(progress -> {}),
                clock);
    }

    private static Path part(Path folder, byte[] content) {
        return folder.resolve(".edl-" + digest(content) + ".part");
    }

    private Path file(String name, byte[] content) throws IOException {
        Path file = files.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    private static String digest(byte[] content) {
        return HexFormat.of().formatHex(FileDigest.sha256().digest(content));
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
