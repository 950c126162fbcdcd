package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageConnection;
import dev.edl.runtime.wire.frames.MessageChannel;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message connection whose peer is a bare channel. */
@Timeout(60)
class MessageConnectionTest {
    private final ManualTimers alarms = new ManualTimers();
    private final ExecutorService threads = DaemonThreads.network("line");
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private SocketChannel other;
    private MessageConnection connection;
    private volatile @Nullable Error failure;
    private volatile boolean endFails;

    /** Failure of a listener without a stack trace, because it is expected. */
    private static final class Failing extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @BeforeEach
    void open() throws IOException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            other = SocketChannel.open(listening.getLocalAddress());
            connection = new MessageConnection(
                    MessageChannel.called(
                            listening.accept(),
                            ChannelSecurity.plain(),
                            "worker-3",
                            alarms,
                            new TimeBound(Duration.ofDays(1), "of the test")),
                    alarms,
                    threads,
                    Loopback.bounds().build());
            connection.markAuthenticated();
        }
        threads.execute(() -> connection.run(() -> true, new MessageConnection.MessageListener() {
            @Override
            public void received(Message message) {
                Error thrown = failure;
                if (thrown != null) {
                    throw thrown;
                }
                connection.messageHandled();
            }

            @Override
            public void ended(boolean orderly, String reason) {
                ended.complete((orderly ? "orderly: " : "") + reason);
                if (endFails) {
                    throw new Failing();
                }
            }
        }));
    }

    @AfterEach
    void close() throws IOException {
        other.close();
        DaemonThreads.end(threads, Loopback.BOUND.toMillis(), connection.wire()::close);
        assertThat(threads.isTerminated()).isTrue();
    }

    private String end() throws Exception {
        return ended.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    private void says(byte[] bytes) throws IOException {
        other.write(ByteBuffer.wrap(bytes));
    }

    @Test
    void connection_of_a_nonreading_peer_closes_without_blocking_the_sender() throws Exception {
        byte[] message = new byte[60_000];
        int sent = 0;
        while (connection.send(message)) {
            sent++;
        }

        // The capacity of the queue, and some megabytes in the system's buffers.
        assertThat(sent).isBetween(70, 1000);
        assertThat(end()).isEqualTo("worker-3 does not read what it is sent: more than 4194304 bytes are queued");
    }

    @Test
    void notifications_are_batched_while_the_peer_reads_slowly() {
        assertThat(connection.isReady()).isTrue();
        while (connection.isReady()) {
            connection.send(new byte[60_000]);
        }

        assertThat(connection.isEnded()).isFalse();
    }

    @Test
    void connection_of_a_silent_peer_closes_after_two_missed_pings() throws Exception {
        // The bound of the read follows the timer of the first ping.
        while (!alarms.pending().contains(Loopback.KEEP_ALIVE.multipliedBy(2))) {
            Thread.onSpinWait();
        }
        alarms.pass(Loopback.KEEP_ALIVE.multipliedBy(2).minusNanos(1));
        assertThat(ended).isNotDone();
        alarms.pass(Duration.ofNanos(1));

        assertThat(end()).isEqualTo("worker-3 has sent nothing within 4m, the bound twice connections.keepAlive");
    }

    @Test
    void idle_connection_sends_pings_before_its_first_message() throws Exception {
        alarms.await(Loopback.KEEP_ALIVE);
        alarms.pass(Loopback.KEEP_ALIVE);
        other.socket().setSoTimeout((int) Loopback.BOUND.toMillis());

        // A header and a checksum.
        assertThat(other.socket().getInputStream().readNBytes(32)).hasSize(32);
        assertThat(ended).isNotDone();
    }

    @Test
    void abrupt_close_is_not_an_orderly_end() throws Exception {
        connection.send(new byte[1]);
        other.shutdownOutput();

        assertThat(end()).isEqualTo("worker-3 has left");
        threads.shutdown();
        assertThat(threads.awaitTermination(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void the_last_messages_arrive_before_the_end() throws Exception {
        connection.send(new byte[100_000]);
        connection.end("the training is over");
        try (MessageChannel channel = MessageChannel.caller(other, ChannelSecurity.plain(), "the master", alarms)) {
            assertThat(channel.message(100_000, Loopback.FRAME)).hasSize(100_000);
            assertThat(catchThrowable(() -> channel.message(1, Loopback.FRAME))).hasMessage("the training is over");
        }
    }

    @Test
    void messages_after_the_end_are_drained() throws Exception {
        says(Stranger.bytes(Message.tell("notes", Map.of())));
        alarms.await(Loopback.KEEP_ALIVE);
        connection.end("the caller did not authenticate in time");
        ByteArrayOutputStream many = new ByteArrayOutputStream();
        byte[] greeting = Stranger.bytes(Message.tell("notes", Map.of()));
        for (int i = 0; i < 33_000; i++) {
            many.write(greeting);
        }
        says(many.toByteArray());
        other.shutdownOutput();

        assertThat(end()).isEqualTo("worker-3 has left");
    }

    @Test
    void message_exceeding_memory_ends_the_connection() throws Exception {
        failure = new OutOfMemoryError("Java heap space");
        says(Stranger.bytes(Message.tell("notes", Map.of())));

        assertThat(end()).isEqualTo("OutOfMemoryError: Java heap space");
    }

    @Test
    void connection_is_closed_even_if_the_end_listener_fails() throws Exception {
        endFails = true;
        says(Stranger.bytes(Message.tell("notes", Map.of())));
        // The peer keeps the connection open.
        MessageChannel.caller(other, ChannelSecurity.plain(), "the master", new ManualTimers())
                .last(null, Loopback.FRAME);

        assertThat(end()).isEqualTo("orderly: worker-3 has ended the stream");
        threads.shutdown();
        assertThat(threads.awaitTermination(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(alarms.pending()).isEmpty();
    }
}
