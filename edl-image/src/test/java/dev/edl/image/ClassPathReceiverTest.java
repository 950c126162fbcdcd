package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.program.ProgramJars;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClassPathReceiverTest {
    private static final int LENGTH = 1_000_000;
    private static final byte[] KEY = bytes(1, ClassPathReceiver.KEY_BYTES);

    @TempDir
    Path folder;

    @TempDir
    Path files;

    private final List<UploadProgress> progress = new ArrayList<>();
    private ServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    @Test
    void jars_are_kept_by_their_digests_and_do_not_travel_again() throws Exception {
        List<ProgramJars.Jar> jars = List.of(jar(2), jar(3));
        FutureTask<Boolean> receiver = receiver(folder);

        JarSender sender = uploaded(jars);

        assertThat(receiver.get(30, TimeUnit.SECONDS)).isTrue();
        for (ProgramJars.Jar jar : jars) {
            assertThat(folder.resolve(jar.digest() + ".jar")).hasSameBinaryContentAs(jar.file());
        }
        assertThat(folder.toFile().list()).hasSize(2);
        assertThat(sender.sentJars()).isEqualTo(2);
        assertThat(progress).last().isEqualTo(new UploadProgress(2, 2, 2L * LENGTH, 2L * LENGTH));

        var unused = receiver(folder);
        JarSender again = uploaded(jars);
        assertThat(again.sentJars()).isZero();
        assertThat(again.sentBytes()).isZero();
    }

    @Test
    void an_earlier_upload_is_continued() throws Exception {
        ProgramJars.Jar jar = jar(2);
        Files.write(folder.resolve(jar.digest() + ".part"), Arrays.copyOf(bytes(2, LENGTH), LENGTH / 2));
        var unused = receiver(folder);

        assertThat(uploaded(List.of(jar)).sentBytes()).isEqualTo(LENGTH / 2);
        assertThat(folder.resolve(jar.digest() + ".jar")).hasSameBinaryContentAs(jar.file());
    }

    @Test
    void other_bytes_of_an_earlier_upload_are_replaced() throws Exception {
        ProgramJars.Jar jar = jar(2);
        Files.write(folder.resolve(jar.digest() + ".part"), new byte[LENGTH / 2]);
        var unused = receiver(folder);

        assertThat(uploaded(List.of(jar)).sentBytes()).isEqualTo(LENGTH / 2 + LENGTH);
        assertThat(folder.resolve(jar.digest() + ".jar")).hasSameBinaryContentAs(jar.file());
    }

    @Test
    void a_longer_file_of_an_earlier_upload_is_replaced() throws Exception {
        ProgramJars.Jar jar = jar(2);
        Files.write(folder.resolve(jar.digest() + ".part"), new byte[LENGTH + 1]);
        var unused = receiver(folder);

        assertThat(uploaded(List.of(jar)).sentBytes()).isEqualTo(LENGTH);
        assertThat(folder.resolve(jar.digest() + ".jar")).hasSameBinaryContentAs(jar.file());
    }

    @Test
    void a_new_connection_continues_where_one_broke() throws Exception {
        List<ProgramJars.Jar> jars = List.of(jar(2), jar(3));
        FutureTask<Boolean> receiver = receiver(folder);
        JarSender sender = new JarSender(jars, KEY, progress::add);

        try (SocketChannel channel = connect()) {
            assertThat(sender.with(new Breaking(channel, LENGTH + LENGTH / 2))).isPresent();
        }
        try (SocketChannel channel = connect()) {
            assertThat(sender.with(channel)).isEmpty();
        }

        assertThat(receiver.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(sender.sentBytes()).isBetween(2L * LENGTH - 1, 2L * LENGTH + LENGTH / 2);
        for (ProgramJars.Jar jar : jars) {
            assertThat(folder.resolve(jar.digest() + ".jar")).hasSameBinaryContentAs(jar.file());
        }
    }

    @Test
    void a_caller_without_the_key_is_rejected_and_the_next_one_served() throws Exception {
        List<ProgramJars.Jar> jars = List.of(jar(2));
        var unused = receiver(folder);

        try (SocketChannel channel = connect()) {
            JarSender stranger = new JarSender(jars, bytes(7, ClassPathReceiver.KEY_BYTES), progress::add);
            assertThat(stranger.with(channel)).isPresent();
        }
        assertThat(folder).isEmptyDirectory();
        assertThat(uploaded(jars).sentJars()).isEqualTo(1);
    }

    @Test
    void a_caller_that_sends_its_key_slowly_does_not_hold_the_receiver() throws Exception {
        // The clock advances by a second at each look: 20 s end after 20 of the key's 32 bytes.
        AtomicLong seconds = new AtomicLong();
        ClassPathReceiver receiver = new ClassPathReceiver(
                folder, FileDigest.sha256().digest(KEY), () -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()));
        FutureTask<Boolean> serving = new FutureTask<>(() -> receiver.serve(listener, 30_000));
        Thread thread = new Thread(serving, "receiver");
        thread.setDaemon(true);
        thread.start();

        try (SocketChannel slow = connect()) {
            slow.write(ByteBuffer.wrap(KEY, 0, KEY.length - 1));
            slow.socket().setSoTimeout(10_000);
            // The receiver closes or resets the connection.
            assertThatThrownBy(() ->
                            assertThat(slow.socket().getInputStream().read()).isZero())
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void uploads_of_the_same_damaged_file_do_not_write_into_each_others_file() throws Exception {
        ProgramJars.Jar jar = jar(2);
        byte[] content = bytes(2, LENGTH);
        int half = LENGTH / 2;
        Files.write(folder.resolve(jar.digest() + ".part"), new byte[half]);
        FutureTask<Boolean> first = receiver(folder);
        try (SocketChannel one = connect();
                ServerSocket other = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            FutureTask<Boolean> second = receiver(folder, other);
            try (SocketChannel two = SocketChannel.open(other.getLocalSocketAddress())) {
                DataInputStream answersOne = asked(one, jar);
                assertThat(answersOne.readLong()).isEqualTo(half);
                DataInputStream answersTwo = asked(two, jar);
                assertThat(answersTwo.readLong()).isZero();
                send(one, content, half, LENGTH);
                assertThat(answersOne.readLong()).isZero();
                send(one, content, 0, half);
                send(two, content, 0, half);
                send(one, content, half, LENGTH);
                assertThat(answersOne.readLong()).isEqualTo(FileReceiver.THERE);
                assertThat(folder.resolve(jar.digest() + ".jar")).hasBinaryContent(content);
                // The published file has no writer.
                send(two, bytes(3, LENGTH), half, LENGTH);
                assertThat(answersTwo.readLong()).isEqualTo(FileReceiver.REFUSED);
                assertThat(answersTwo.readUTF()).contains("its SHA-256 must be " + jar.digest());
                ended(one, answersOne);
            }
            assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(second.get(30, TimeUnit.SECONDS)).isFalse();
        }

        assertThat(folder.resolve(jar.digest() + ".jar")).hasBinaryContent(content);
        assertThat(folder.toFile().list()).hasSize(1);
    }

    /** Begins an upload of one jar, and returns the answers. */
    private static DataInputStream asked(SocketChannel channel, ProgramJars.Jar jar) throws IOException {
        channel.write(ByteBuffer.allocate(KEY.length + 1 + ClassPathReceiver.DIGEST_BYTES + Long.BYTES)
                .put(KEY)
                .put((byte) ClassPathReceiver.UPLOAD)
                .put(HexFormat.of().parseHex(jar.digest()))
                .putLong(LENGTH)
                .flip());
        DataInputStream answers = new DataInputStream(channel.socket().getInputStream());
        assertThat(answers.readInt()).isEqualTo(Runtime.version().feature());
        assertThat(answers.readUTF()).isEqualTo(System.getProperty("os.arch"));
        return answers;
    }

    private static void ended(SocketChannel channel, DataInputStream answers) throws IOException {
        channel.write(ByteBuffer.allocate(ClassPathReceiver.DIGEST_BYTES));
        assertThat(answers.readLong()).isEqualTo(FileReceiver.THERE);
        channel.write(ByteBuffer.wrap(new byte[] {ClassPathReceiver.DONE}));
    }

    private static void send(SocketChannel channel, byte[] content, int from, int to) throws IOException {
        channel.socket().getOutputStream().write(content, from, to - from);
    }

    @Test
    void a_file_with_another_digest_is_refused_with_both() throws Exception {
        ProgramJars.Jar jar = jar(2);
        Files.write(jar.file(), bytes(3, LENGTH));
        FutureTask<Boolean> receiver = receiver(folder);

        assertThatThrownBy(() -> uploaded(List.of(jar)))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessageContaining("its SHA-256 must be " + jar.digest() + ", was " + digest(bytes(3, LENGTH)));
        assertThat(receiver.get(30, TimeUnit.SECONDS)).isFalse();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_class_that_is_newer_than_the_pods_java_is_refused_before_a_jar_travels() throws Exception {
        Path file = files.resolve("newer.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("acme/Main.class"));
            zip.write(ByteBuffer.allocate(8).putInt(0xCAFEBABE).putInt(99 + 44).array());
        }
        ProgramJars.Jar jar = new ProgramJars.Jar(
                "classes.jar", file, digest(Files.readAllBytes(file)), ProgramJars.Frequency.CLASSES);
        var unused = receiver(folder);
        int java = Runtime.version().feature();

        assertThatThrownBy(() -> uploaded(List.of(jar)))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessage("class acme.Main of classes.jar needs Java 99, but pods of this image have Java " + java
                        + "; compile it with --release " + java + ", or name an image with Java 99");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_folder_that_cannot_be_written_is_named() throws Exception {
        var unused = receiver(folder.resolve("absent"));

        assertThatThrownBy(() -> uploaded(List.of(jar(2))))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessageContaining(folder.resolve("absent") + "/")
                .hasMessageContaining("was not written");
    }

    @Test
    void a_damaged_jar_of_the_folder_is_replaced() throws Exception {
        ProgramJars.Jar jar = jar(2);
        Files.write(folder.resolve(jar.digest() + ".jar"), bytes(3, LENGTH));
        var unused = receiver(folder);

        assertThat(uploaded(List.of(jar)).sentJars()).isEqualTo(1);
        assertThat(folder.resolve(jar.digest() + ".jar")).hasSameBinaryContentAs(jar.file());
    }

    @Test
    void only_old_files_that_no_job_uses_are_removed() throws Exception {
        ProgramJars.Jar used = old(jar(2));
        ProgramJars.Jar broken = jar(3);
        Path part = Files.write(folder.resolve(broken.digest() + ".part"), new byte[10]);
        Files.setLastModifiedTime(part, FileTime.fromMillis(0));
        ProgramJars.Jar old = old(jar(4));
        ProgramJars.Jar again = old(jar(5));
        var first = receiver(folder);
        assertThat(uploaded(List.of(again)).sentJars()).isZero();
        assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
        Path notes = Files.writeString(folder.resolve("notes.jar"), "a file of another program");
        Files.setLastModifiedTime(notes, FileTime.fromMillis(0));

        ClaimStatus expected = new ClaimStatus(4, 3L * LENGTH + 10, 2, LENGTH + 10);
        assertThat(unused(ClassPathReceiver.LIST, used)).isEqualTo(expected);
        assertThat(folder.toFile().list()).hasSize(5);
        assertThat(unused(ClassPathReceiver.PRUNE, used)).isEqualTo(expected);

        assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder(used.digest() + ".jar", again.digest() + ".jar", "notes.jar");
        assertThat(folder.resolve(old.digest() + ".jar")).doesNotExist();
    }

    @Test
    void a_request_that_breaks_removes_nothing() throws Exception {
        ProgramJars.Jar first = old(jar(2));
        ProgramJars.Jar second = old(jar(3));
        FutureTask<Boolean> receiver = receiver(folder);
        UnusedJarsRequest prune = new UnusedJarsRequest(
                KEY, ClassPathReceiver.PRUNE, Duration.ZERO, Set.of(first.digest(), second.digest()));

        try (SocketChannel channel = connect()) {
            // Key, request, age, number of digests, and one of two digests.
            assertThat(prune.with(new Breaking(channel, 32 + 1 + 8 + 4 + 32))).isPresent();
        }
        try (SocketChannel channel = connect()) {
            channel.write(ByteBuffer.allocate(32 + 1 + 8 + 4 + 32)
                    .put(KEY)
                    .put((byte) ClassPathReceiver.PRUNE)
                    .putLong(0)
                    .putInt(2)
                    .put(HexFormat.of().parseHex(first.digest()))
                    .flip());
        }
        try (SocketChannel channel = connect()) {
            assertThat(prune.with(channel)).isEmpty();
        }

        assertThat(receiver.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(prune.status()).isEqualTo(new ClaimStatus(2, 2L * LENGTH, 0, 0));
    }

    @Test
    void files_that_cannot_be_listed_are_a_refusal() {
        var unused = receiver(folder.resolve("absent"));
        UnusedJarsRequest request = new UnusedJarsRequest(KEY, ClassPathReceiver.LIST, Duration.ZERO, Set.of());

        assertThatThrownBy(() -> {
                    try (SocketChannel channel = connect()) {
                        request.with(channel);
                    }
                })
                .isInstanceOf(TransferRejectedException.class)
                .hasMessageContaining("the files of " + folder.resolve("absent") + " were not listed");
    }

    @Test
    void a_launcher_names_a_jar_that_is_missing_or_different() throws Exception {
        ProgramJars.Jar jar = jar(2);
        Path onClaim = folder.resolve(jar.digest() + ".jar");

        assertThat(VerifyingLauncher.problem(onClaim)).startsWith(onClaim + " is missing on the claim; upload");
        Files.write(onClaim, bytes(3, LENGTH));
        assertThat(VerifyingLauncher.problem(onClaim))
                .contains("its SHA-256 must be " + jar.digest() + ", was " + digest(bytes(3, LENGTH)) + "; upload");
        Files.write(onClaim, bytes(2, LENGTH));
        assertThat(VerifyingLauncher.problem(onClaim)).isEmpty();
    }

    @Test
    void an_upload_without_a_caller_ends() throws Exception {
        assertThat(new ClassPathReceiver(folder, FileDigest.sha256().digest(KEY)).serve(listener, 1))
                .isFalse();
    }

    private ClaimStatus unused(int request, ProgramJars.Jar used) throws Exception {
        FutureTask<Boolean> receiver = receiver(folder);
        UnusedJarsRequest unused = new UnusedJarsRequest(KEY, request, Duration.ofDays(1), Set.of(used.digest()));
        try (SocketChannel channel = connect()) {
            assertThat(unused.with(channel)).isEmpty();
        }
        assertThat(receiver.get(30, TimeUnit.SECONDS)).isTrue();
        return unused.status();
    }

    /** Puts a jar into the folder that was uploaded long ago. */
    private ProgramJars.Jar old(ProgramJars.Jar jar) throws IOException {
        Path copy = Files.copy(jar.file(), folder.resolve(jar.digest() + ".jar"));
        Files.setLastModifiedTime(copy, FileTime.fromMillis(0));
        return jar;
    }

    private FutureTask<Boolean> receiver(Path into) {
        return receiver(into, listener);
    }

    private static FutureTask<Boolean> receiver(Path into, ServerSocket listener) {
        ClassPathReceiver receiver =
                new ClassPathReceiver(into, FileDigest.sha256().digest(KEY));
        FutureTask<Boolean> serving = new FutureTask<>(() -> receiver.serve(listener, 30_000));
        Thread thread = new Thread(serving, "receiver");
        thread.setDaemon(true);
        thread.start();
        return serving;
    }

    private JarSender uploaded(List<ProgramJars.Jar> jars) throws IOException {
        JarSender sender = new JarSender(jars, KEY, progress::add);
        try (SocketChannel channel = connect()) {
            assertThat(sender.with(channel)).isEmpty();
        }
        return sender;
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(listener.getLocalSocketAddress());
    }

    private ProgramJars.Jar jar(int seed) throws IOException {
        byte[] content = bytes(seed, LENGTH);
        Path file = Files.write(files.resolve(seed + ".jar"), content);
        return new ProgramJars.Jar(seed + ".jar", file, digest(content), ProgramJars.Frequency.LIBRARY);
    }

    private static String digest(byte[] content) {
        return HexFormat.of().formatHex(FileDigest.sha256().digest(content));
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Connection that breaks after it has read and written a number of bytes. */
    static final class Breaking implements ByteChannel {
        private final ByteChannel to;
        private long left;

        Breaking(ByteChannel to, long left) {
            this.to = to;
            this.left = left;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int count = to.read(into);
            pass(count);
            return count;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            pass(bytes.remaining());
            return to.write(bytes);
        }

        private void pass(int count) throws IOException {
            left -= count;
            if (left < 0) {
                to.close();
                throw new ClosedChannelException();
            }
        }

        @Override
        public boolean isOpen() {
            return to.isOpen();
        }

        @Override
        public void close() throws IOException {
            to.close();
        }
    }
}
