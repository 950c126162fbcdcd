package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.edl.runtime.LogRecords;
import dev.edl.runtime.engine.ports.FailureKind;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.tls.ChannelBinding;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another program answers at a server's address, for example another job's server in a pod with a reused address. */
@Timeout(60)
class StrangerServerTest {
    private static final int SO_TIMEOUT_MILLIS = 20_000;

    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());
    private final AtomicInteger strangers = new AtomicInteger();

    @AfterEach
    void close() {
        loopback.close();
    }

    /** Returns the answer to a HELLO. */
    @FunctionalInterface
    private interface Answer {
        byte[] to(int request, byte[] nonce);
    }

    /** Returns an address at which a stranger answers the first callers, and the server of shard 0 the later ones. */
    private InetSocketAddress address(Answer answer, int callers) throws IOException {
        ServerSocket listening = loopback.closes(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        daemon(() -> {
            while (true) {
                try (Socket caller = listening.accept()) {
                    caller.setSoTimeout(SO_TIMEOUT_MILLIS);
                    if (strangers.get() < callers) {
                        strangers.incrementAndGet();
                        answers(caller, answer);
                    } else {
                        relays(caller);
                    }
                } catch (IOException ended) {
                    if (listening.isClosed()) {
                        return;
                    }
                }
            }
        });
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "answers in a server's place");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void answers(Socket caller, Answer answer) throws IOException {
        FrameInput in = new FrameInput(Channels.newChannel(caller.getInputStream()));
        in.next(Greeting::limit);
        byte[] nonce = in.bytes(32);
        in.text();
        in.end();
        caller.getOutputStream().write(answer.to(in.request(), nonce));
        caller.shutdownOutput();
        // The caller must read the answer before the connection is closed.
        caller.getInputStream().readAllBytes();
    }

    private void relays(Socket caller) throws IOException {
        try (Socket server = new Socket()) {
            server.connect(loopback.addresses().get(0));
            daemon(() -> copy(server, caller));
            copy(caller, server);
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // Of either end.
        }
    }

    private static void pull(RemoteShards worker) throws InterruptedException {
        worker.pull(new float[4], List.of(), new WeightVersions(1));
    }

    /** Checks that a worker waits for its server, and that its failure counts against no record if it gives up. */
    private void isAway(Answer answer, String reason, String... warnings) throws Exception {
        try (LogRecords log = new LogRecords(ShardConnection.class)) {
            InetSocketAddress stranger = address(answer, Integer.MAX_VALUE);
            ShardTimeoutException away = catchThrowableOfType(
                    ShardTimeoutException.class,
                    () -> pull(loopback.worker("w", List.of(stranger), Duration.ofMillis(1))));
            assertThat(away).hasRootCauseMessage(named(stranger, reason));
            assertThat(FailureKind.of(away)).isEqualTo(FailureKind.ENVIRONMENT);
            assertThat(log.records())
                    .extracting(LogRecord::getMessage)
                    .containsExactlyElementsOf(Stream.of(warnings)
                            .map(warning -> "w retries: " + named(stranger, warning))
                            .toList());
        }
        strangers.set(0);
        pull(loopback.worker("w", List.of(address(answer, 3)), Duration.ofSeconds(20)));
        assertThat(strangers).hasValue(3);
    }

    private static String named(InetSocketAddress stranger, String reason) {
        return reason.replace("SERVER", "ps-0 at " + stranger.getHostString() + ":" + stranger.getPort())
                .replace("PORT", String.valueOf(stranger.getPort()));
    }

    private static byte[] text(FrameKind kind, int request, String text) {
        return Conversation.bytes(out -> out.begin(kind, 0, request, 0, 0, FrameOutput.sizeOf(text))
                .text(text)
                .end());
    }

    @Test
    void refusal_before_the_proof_ends_no_worker() throws Exception {
        String reason = "SERVER sent REFUSED before it authenticated: not you";
        isAway((request, nonce) -> text(FrameKind.REFUSED, request, "not you"), reason, reason);
    }

    @Test
    void error_before_the_proof_ends_no_worker() throws Exception {
        String reason = "SERVER sent ERROR before it authenticated: out of order";
        isAway((request, nonce) -> text(FrameKind.ERROR, request, "out of order"), reason, reason);
    }

    @Test
    void wrong_proof_ends_no_worker() throws Exception {
        Handshake other =
                new Handshake(JobToken.create(new SecureRandom()), new SecureRandom(), ChannelSecurity.plain());
        Greeting.Purpose purpose = loopback.served(0, 1).layout().purpose(Loopback.RUN);
        String reason = "SERVER failed to authenticate with this job's token as ps-0[0..4) of 1 of run \"run-1\"";
        isAway(
                (request, nonce) -> {
                    byte[] mine = other.nonce();
                    return Conversation.bytes(out -> out.begin(FrameKind.CHALLENGE, 0, request, 0, 0, 64)
                            .bytes(mine)
                            .bytes(other.proof(purpose.called(ChannelBinding.PLAIN), nonce, mine))
                            .end());
                },
                reason,
                reason);
    }

    @Test
    void bytes_of_another_program_end_no_worker() throws Exception {
        String reason =
                "SERVER cannot be greeted: connection to localhost/127.0.0.1:PORT: a frame must begin with 45444c46,"
                        + " began with 48545450";
        isAway(
                (request, nonce) ->
                        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.UTF_8),
                reason,
                reason);
    }

    @Test
    void server_of_another_protocol_ends_no_worker() throws Exception {
        byte[] frame = text(FrameKind.AWAY, 1, "later");
        frame[4] = 9;
        CRC32C crc = new CRC32C();
        crc.update(frame, 0, frame.length - Integer.BYTES);
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(frame.length - Integer.BYTES, (int)
                crc.getValue());
        String reason = "SERVER cannot be greeted: the protocol must be 3, was 9";
        isAway((request, nonce) -> frame, reason, reason);
    }
}
