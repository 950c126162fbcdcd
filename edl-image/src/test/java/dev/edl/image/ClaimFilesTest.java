package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.edl.program.ProgramJars;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The receiver is loaded as a pod has it: from its own jar, without the other classes of EDL. */
@Timeout(60)
class ClaimFilesTest {
    private static final int LENGTH = 1_000_000;
    private static final byte[] KEY = bytes(1, ClassPathReceiver.KEY_BYTES);

    @TempDir
    Path claim;

    @TempDir
    Path files;

    @TempDir
    Path programs;

    private final TransferCounters count = new TransferCounters(progress -> {});
    private ServerSocket listener;
    private FutureTask<Object> receiver = new FutureTask<>(() -> false);

    @BeforeEach
    void listen() throws Exception {
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    /** Serves one request with the jar of a pod. */
    private void serve() throws Exception {
        Path jar = ProgramJars.of(programs, ClassPathReceiver.PROGRAM.toArray(new Class<?>[0]))
                .file();
        receiver = new FutureTask<>(() -> {
            URL[] path = {jar.toUri().toURL()};
            try (URLClassLoader pod = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
                Class<?> type = pod.loadClass(ClassPathReceiver.class.getName());
                Constructor<?> constructor = type.getDeclaredConstructor(Path.class, byte[].class);
                constructor.setAccessible(true);
                Method serve = type.getDeclaredMethod("serve", ServerSocket.class, long.class);
                serve.setAccessible(true);
                return serve.invoke(
                        constructor.newInstance(claim, FileDigest.sha256().digest(KEY)), listener, 30_000L);
            }
        });
        Thread thread = new Thread(receiver, "receiver");
        thread.setDaemon(true);
        thread.start();
    }

    private ClaimTransfer transfer(boolean put, String path, Path local) throws Exception {
        serve();
        TransferCounters own = new TransferCounters(progress -> {});
        assertThat(connection(put, path, local, own, Long.MAX_VALUE)).isEmpty();
        assertThat(receiver.get(30, TimeUnit.SECONDS)).isEqualTo(true);
        return own.state();
    }

    private Optional<IOException> connection(
            boolean put, String path, Path local, TransferCounters to, long breaksAfter) throws IOException {
        try (SocketChannel channel = SocketChannel.open(listener.getLocalSocketAddress())) {
            return ClaimFiles.with(new ClassPathReceiverTest.Breaking(channel, breaksAfter), put, KEY, path, local, to);
        }
    }

    /** Returns the content of all files below a folder by their names; of a folder, its name with a slash. */
    private static Map<String, String> tree(Path folder) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                String name = folder.relativize(path).toString().replace('\\', '/');
                boolean directory = Files.isDirectory(path);
                tree.put(directory ? name + "/" : name, directory ? "" : FileDigest.of(path));
            }
        }
        return tree;
    }

    private Path file(String name, byte[] content) throws IOException {
        Path file = files.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    private Path source() throws IOException {
        file("in/a.bin", bytes(2, LENGTH));
        file("in/deep/er/b.bin", bytes(3, 10));
        file("in/deep/größe 数.txt", bytes(4, 20));
        file("in/empty.txt", new byte[0]);
        Files.createDirectories(files.resolve("in/nothing/here"));
        return files.resolve("in");
    }

    @Test
    void a_folder_that_was_sent_and_received_is_the_same() throws Exception {
        Path in = source();

        ClaimTransfer sent = transfer(true, "data/set", in);
        ClaimTransfer received = transfer(false, "data/set", files.resolve("new/out"));

        assertThat(sent).isEqualTo(new ClaimTransfer(4, LENGTH + 30, 4, LENGTH + 30, 4, LENGTH + 30));
        assertThat(received).isEqualTo(sent);
        assertThat(tree(claim.resolve("data/set"))).isEqualTo(tree(in)).hasSize(9);
        assertThat(tree(files.resolve("new/out"))).isEqualTo(tree(in));
    }

    @Test
    void only_changed_files_travel_again_and_other_files_stay() throws Exception {
        Path in = source();
        transfer(true, "", in);
        transfer(false, "", files.resolve("out"));
        assertThat(transfer(true, "", in)).isEqualTo(new ClaimTransfer(4, LENGTH + 30, 4, LENGTH + 30, 0, 0));
        assertThat(transfer(false, "", files.resolve("out")).sentFiles()).isZero();

        file("in/deep/er/b.bin", bytes(9, 10));
        file("out/empty.txt", bytes(9, 5));
        file("out/mine.txt", bytes(9, 6));

        assertThat(transfer(true, "", in)).isEqualTo(new ClaimTransfer(4, LENGTH + 30, 4, LENGTH + 30, 1, 10));
        assertThat(transfer(false, "", files.resolve("out")).sentFiles()).isEqualTo(2);
        assertThat(files.resolve("out/mine.txt")).hasBinaryContent(bytes(9, 6));
        Files.delete(files.resolve("out/mine.txt"));
        assertThat(tree(files.resolve("out"))).isEqualTo(tree(in));
    }

    @Test
    void a_put_continues_where_its_connection_broke() throws Exception {
        Path in = source();
        serve();

        assertThat(connection(true, "x", in, count, LENGTH / 2)).isPresent();
        assertThat(claim.resolve("x/a.bin")).doesNotExist();
        assertThat(connection(true, "x", in, count, Long.MAX_VALUE)).isEmpty();

        assertThat(tree(claim.resolve("x"))).isEqualTo(tree(in));
        assertThat(count.state().sentBytes()).isBetween(LENGTH + 29L, LENGTH + 30L + 200_000);
        assertThat(count.state().doneFiles()).isEqualTo(4);
    }

    @Test
    void a_get_continues_where_its_connection_broke() throws Exception {
        Files.write(claim.resolve("a.bin"), bytes(2, LENGTH));
        Path out = files.resolve("out");
        serve();

        assertThat(connection(false, "", out, count, LENGTH / 2)).isPresent();
        assertThat(out.resolve("a.bin")).doesNotExist();
        assertThat(out.toFile().list()).singleElement().matches(TransferFileNames::isUnfinished);
        long before = count.state().sentBytes();
        assertThat(before).isPositive();
        receiver.cancel(true);
        listener.close();
        listen();

        assertThat(transfer(false, "", out).sentBytes()).isEqualTo(LENGTH - before);
        assertThat(tree(out)).isEqualTo(tree(claim)).hasSize(2);
    }

    @Test
    void one_file_travels_into_a_folder() throws Exception {
        Path one = file("model.npz", bytes(2, 100));

        transfer(true, "models/mnist", one);
        transfer(false, "models/mnist/model.npz", files.resolve("out"));

        assertThat(claim.resolve("models/mnist/model.npz")).hasBinaryContent(bytes(2, 100));
        assertThat(files.resolve("out/model.npz")).hasBinaryContent(bytes(2, 100));
    }

    @Test
    void unfinished_files_do_not_travel() throws Exception {
        file("in/.edl-" + "0".repeat(64) + ".part", bytes(2, 10));
        file("in/a.part", bytes(2, 10));

        assertThat(transfer(true, "", files.resolve("in")).files()).isEqualTo(1);
        assertThat(claim.toFile().list()).containsExactly("a.part");
    }

    @Test
    void a_path_that_leaves_the_claim_is_refused_by_the_pod() throws Exception {
        for (boolean put : new boolean[] {true, false}) {
            serve();
            assertThatThrownBy(() -> connection(put, "a/../../b", source(), count, Long.MAX_VALUE))
                    .isInstanceOf(TransferRejectedException.class)
                    .hasMessage("\"a/../../b\" must be a relative path without \"..\"; for example mnist/train");
            assertThat(receiver.get(30, TimeUnit.SECONDS)).isEqualTo(false);
        }
        assertThat(claim).isEmptyDirectory();
    }

    @Test
    void a_path_that_the_claim_does_not_have_is_named() throws Exception {
        serve();
        assertThatThrownBy(() -> connection(false, "absent", files.resolve("out"), count, Long.MAX_VALUE))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessage(claim.resolve("absent") + " does not exist");
        assertThat(files).isEmptyDirectory();
    }

    private static Path part(Path folder, byte[] content) {
        return folder.resolve(
                ".edl-" + HexFormat.of().formatHex(FileDigest.sha256().digest(content)) + ".part");
    }

    private static TransferRejectedException refused(Path source) {
        FileSender sender = new FileSender(
                new DataInputStream(InputStream.nullInputStream()),
                new DataOutputStream(OutputStream.nullOutputStream()),
                new TransferCounters(progress -> {}));
        return catchThrowableOfType(TransferRejectedException.class, () -> sender.send(source));
    }

    @Test
    void a_failure_of_the_source_is_a_refusal_with_its_reason() throws Exception {
        Path file = file("a.bin", bytes(2, 10));

        assertThat(refused(files.resolve("absent"))).hasMessage(files.resolve("absent") + " does not exist");
        assertThat(refused(file.resolve("b"))).hasMessage(file.resolve("b") + " cannot be read: Not a directory");
        assertThat(refused(Path.of("/dev/null")))
                .hasMessage(
                        "/dev/null is neither a file nor a folder, but for example a pipe; move it to another folder");
    }

    @Test
    void a_folder_without_search_permission_is_named_with_the_reason() throws Exception {
        Path file = file("in/a.bin", bytes(2, 10));
        Path in = files.resolve("in");
        Files.setPosixFilePermissions(in, PosixFilePermissions.fromString("r--r--r--"));
        try {
            // The user root may search each folder.
            assumeFalse(Files.isExecutable(in));

            assertThat(refused(in)).hasMessage(file + " cannot be read: this user has no permission");
        } finally {
            Files.setPosixFilePermissions(in, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void a_source_with_the_name_of_an_unfinished_file_is_refused() throws Exception {
        Path part = Files.write(part(files, bytes(2, 10)), bytes(2, 10));

        assertThat(refused(part)).hasMessage(part + " has the name of an unfinished transfer; rename it");
    }

    @Test
    void a_sender_gives_a_sign_of_life_while_it_counts_folders() throws Exception {
        for (int i = 0; i < 12; i++) {
            Files.createDirectory(files.resolve("folder" + i));
        }
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        AtomicLong seconds = new AtomicLong();
        FileSender sender = new FileSender(
                new DataInputStream(InputStream.nullInputStream()),
                new DataOutputStream(sent),
                count,
                () -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()));

        assertThatThrownBy(() -> sender.send(files)).isInstanceOf(EOFException.class);

        assertThat(sent.toByteArray()).startsWith(FileSender.WAIT, FileSender.WAIT, FileSender.TOTAL);
    }

    @Test
    void arguments_are_checked_before_a_pod_is_created() throws Exception {
        Path file = file("a.bin", bytes(2, 10));
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(Config.empty()).build()) {
            ClaimFiles data = ClaimFiles.of(client, "team", "data");

            assertThatThrownBy(() -> data.get("models", file.resolve("x"), "java:17", Duration.ofHours(1), end -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("to must be a folder or absent, was \"" + file.resolve("x") + "\", but " + file
                            + " is a file; for example Path.of(\"models\")");
            assertThatThrownBy(() -> data.get("m", files, "java:17", Duration.ofSeconds(Integer.MAX_VALUE), end -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("limit must be at most 2147483587 s, was PT");
            assertThatThrownBy(() -> data.put(file, "x".repeat(5000), "java:17", Duration.ofHours(1), end -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("path must have at most 4096 characters, had 5000; for example mnist/train");
        }
    }

    @Test
    void only_a_link_to_a_file_below_the_folder_travels_as_a_copy() throws Exception {
        Path in = files.resolve("in");
        Path one = file("in/a.bin", bytes(2, 10));
        Files.createSymbolicLink(in.resolve("same.bin"), Path.of("a.bin"));
        transfer(true, "", in);
        assertThat(claim.resolve("same.bin")).isRegularFile().hasBinaryContent(Files.readAllBytes(one));
        assertThat(Files.isSymbolicLink(claim.resolve("same.bin"))).isFalse();

        Path secret = file("secret.txt", bytes(2, 10));
        Files.createSymbolicLink(in.resolve("z"), secret);
        serve();
        assertThatThrownBy(() -> connection(true, "other", in, count, Long.MAX_VALUE))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessage(
                        "\"z\" is a symbolic link to " + secret.toRealPath() + "; a link travels only as a copy of a"
                                + " file below " + in.toRealPath() + ", so copy what it leads to, or remove the link");
        assertThat(claim.resolve("other")).doesNotExist();
    }

    @Test
    void a_link_of_the_destination_is_not_followed() throws Exception {
        Path outside = Files.createDirectories(files.resolve("outside"));
        Files.createSymbolicLink(claim.resolve("deep"), outside);
        serve();

        assertThatThrownBy(() -> connection(true, "", source(), count, Long.MAX_VALUE))
                .isInstanceOf(TransferRejectedException.class)
                .hasMessageContaining(claim.resolve("deep") + " is a symbolic link, which may leave the folder");
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void a_sender_gives_a_sign_while_it_reads_a_large_file() throws Exception {
        ByteArrayOutputStream signs = new ByteArrayOutputStream();
        Path large = Files.write(files.resolve("large"), new byte[20 * 1024 * 1024]);

        FileDigest.of(large, signs, new byte[] {7});

        assertThat(signs.toByteArray()).containsExactly(7, 7);
    }

    @Test
    void a_state_is_a_line() {
        assertThat(new ClaimTransfer(4, 2_000_000, 3, 1_500_000, 1, 500_000))
                .hasToString("3 of 4 files (1.5 of 2.0 MB) are in place; 1 file (0.5 MB) travelled");
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
