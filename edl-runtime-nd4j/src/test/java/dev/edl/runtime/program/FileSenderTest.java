package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ports.TryAgainException;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transfers of a process with {@code EDL_ROLE} reader over its loopback address. */
@Timeout(60)
class FileSenderTest {
    private static final byte[] KEY = "a key of thirty-two bytes, words".getBytes(StandardCharsets.US_ASCII);
    /** By sha256sum. */
    private static final String KEY_SHA_256 = "dedfda6feb36fdbcc8129cc9dbbf64a2d71d404b78d2e32b28b4512b37fce439";

    private static final Duration LONG = Duration.ofSeconds(50);

    @TempDir
    Path folder;

    private ServerSocket listener;

    @BeforeEach
    void it_listens() throws IOException {
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void it_listens_no_more() throws IOException {
        listener.close();
    }

    private FutureTask<Integer> sender(Path file) {
        FileSender sender = FileSender.of(Map.of("EDL_FILE", file.toString(), "EDL_FILE_KEY", KEY_SHA_256));
        return started(() -> sender.serve(listener, LONG));
    }

    private static FutureTask<Integer> started(Callable<Integer> work) {
        FutureTask<Integer> task = new FutureTask<>(work);
        new Thread(task, "sender").start();
        return task;
    }

    private static int code(FutureTask<Integer> sender) throws Exception {
        return sender.get(50, TimeUnit.SECONDS);
    }

    /** Sends a key, and reads until a final byte is expected, or until the end. */
    private byte[] answered(byte[] key, int most) throws IOException {
        try (Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            socket.getOutputStream().write(key);
            byte[] answer = socket.getInputStream().readNBytes(most);
            if (answer.length == most) {
                socket.getOutputStream().write(1);
            }
            return answer;
        }
    }

    @Test
    void a_file_is_sent_with_its_length_and_digest() throws Exception {
        Path file = folder.resolve("model.npz");
        Files.writeString(file, "abc");
        FutureTask<Integer> sender = sender(file);

        ByteBuffer answer = ByteBuffer.wrap(answered(KEY, 8 + 3 + 32));

        assertThat(answer.getLong()).isEqualTo(3);
        // FIPS 180-2, appendix B.1.
        assertThat(Arrays.copyOfRange(answer.array(), 8, 43))
                .asHexString()
                .isEqualToIgnoringCase("616263" + "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(code(sender)).isZero();
    }

    @Test
    void a_caller_that_sends_its_key_slowly_does_not_hold_the_sender() throws Exception {
        Path file = Files.writeString(folder.resolve("model.npz"), "abc");
        // The clock advances by a second at each look: 20 s end after 20 of the key's 32 bytes.
        AtomicLong seconds = new AtomicLong();
        FileSender sender = FileSender.of(
                Map.of("EDL_FILE", file.toString(), "EDL_FILE_KEY", KEY_SHA_256),
                () -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()));
        FutureTask<Integer> unused = started(() -> sender.serve(listener, LONG));

        try (Socket slow = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            slow.setSoTimeout(10_000);
            slow.getOutputStream().write(KEY, 0, KEY.length - 1);
            // The sender closes or resets the connection.
            assertThatThrownBy(() -> assertThat(slow.getInputStream().read()).isEqualTo(0))
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void a_file_that_fills_many_buffers_arrives_whole() throws Exception {
        byte[] bytes = new byte[3_000_001];
        new Random(7).nextBytes(bytes);
        Path file = Files.write(folder.resolve("large"), bytes);
        FutureTask<Integer> sender = sender(file);

        byte[] answer = answered(KEY, 8 + bytes.length + 32);

        assertThat(Arrays.copyOfRange(answer, 8, 8 + bytes.length)).isEqualTo(bytes);
        assertThat(code(sender)).isZero();
    }

    @Test
    void a_caller_without_the_key_gets_nothing_and_the_next_one_all() throws Exception {
        Path file = Files.createFile(folder.resolve("empty"));
        FutureTask<Integer> sender = sender(file);

        assertThat(answered(new byte[32], 1)).isEmpty();

        assertThat(answered(KEY, 8 + 32)).hasSize(40);
        assertThat(code(sender)).isZero();
    }

    @Test
    void a_caller_that_goes_before_all_has_arrived_may_come_again() throws Exception {
        Path file = Files.createFile(folder.resolve("empty"));
        FutureTask<Integer> sender = sender(file);
        try (Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            socket.getOutputStream().write(KEY);
        }

        assertThat(answered(KEY, 8 + 32)).hasSize(40);
        assertThat(code(sender)).isZero();
    }

    @Test
    void a_missing_file_is_the_answer() throws Exception {
        assertThat(refusal(folder.resolve("no.npz"))).isEqualTo(folder.resolve("no.npz") + " does not exist");
    }

    @Test
    void a_directory_is_the_answer() throws Exception {
        assertThat(refusal(folder)).isEqualTo(folder + " is a directory; name a file in it");
    }

    /** Returns the reason that is sent instead of a file. */
    private String refusal(Path file) throws Exception {
        FutureTask<Integer> sender = sender(file);
        try (Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            socket.getOutputStream().write(KEY);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(in.readLong()).isEqualTo(-1);
            String reason = in.readUTF();
            socket.getOutputStream().write(1);
            assertThat(code(sender)).isEqualTo(70);
            return reason;
        }
    }

    @Test
    void without_a_caller_it_ends_with_a_message() {
        FileSender sender = FileSender.of(Map.of("EDL_FILE", "/data/model.npz", "EDL_FILE_KEY", KEY_SHA_256));

        assertThatThrownBy(() -> sender.serve(listener, Duration.ofMillis(1)))
                .isInstanceOf(TryAgainException.class)
                .hasMessage("no caller with the key received /data/model.npz within 1ms");
    }

    @Test
    void a_program_that_is_to_send_a_file_makes_no_training() {
        Supplier<Training> none = () -> {
            throw new AssertionError("no training is made to send a file");
        };

        assertThat(TrainingProgram.run(Map.of("EDL_ROLE", "reader"), none)).isEqualTo(64);
        assertThat(TrainingProgram.run(
                        Map.of(
                                "EDL_ROLE", "reader",
                                "EDL_FILE", "/data/model.npz",
                                "EDL_FILE_KEY", KEY_SHA_256,
                                "EDL_FILE_PORT", "0"),
                        none))
                .isEqualTo(64);
    }

    @Test
    void a_key_that_is_no_digest_is_refused() {
        assertThatThrownBy(() -> FileSender.of(Map.of("EDL_FILE", "/data/model.npz", "EDL_FILE_KEY", "abc")))
                .hasMessage("EDL_FILE_KEY must be the 64 hexadecimal digits of a SHA-256");
    }
}
