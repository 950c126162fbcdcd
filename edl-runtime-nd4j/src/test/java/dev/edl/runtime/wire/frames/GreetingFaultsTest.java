package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.LogRecords;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.tls.ChannelBinding;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers of a shard's server that stop within a frame. */
@Timeout(60)
class GreetingFaultsTest {
    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());

    @AfterEach
    void close() {
        loopback.close();
    }

    /** docs/wire.md: "The end that waits closes a connection that exceeds a bound, with the error". */
    @Test
    void the_reason_of_a_late_greeting_reaches_the_peer_or_the_log() throws Exception {
        ManualTimers timers = loopback.timers.get(0);
        try (LogRecords log = new LogRecords(ServerConnection.class);
                Socket socket = new Socket()) {
            socket.connect(loopback.addresses().get(0));
            socket.setSoTimeout(20_000);
            while (!timers.pending().contains(Duration.ofSeconds(5))) {
                Thread.onSpinWait();
            }
            timers.pass(Duration.ofSeconds(5));

            byte[] answer = socket.getInputStream().readAllBytes();
            assertThat(answer.length + " bytes and the log "
                            + log.records().stream().map(LogRecord::getMessage).toList())
                    .isNotEqualTo("0 bytes and the log []");
        }
    }

    /** docs/wire.md: "a started frame, and again for each MiB of it | 30". */
    @Test
    void a_frame_that_starts_with_the_end_of_the_last_one_is_bounded() throws Exception {
        Conversation conversation = new Conversation(loopback);
        try (Socket socket = new Socket()) {
            socket.connect(loopback.addresses().get(0));
            conversation.greet(socket);
            byte[] held = Conversation.bytes(
                    out -> out.begin(FrameKind.HELD, 0, 2, 0, 0, 0).end());
            byte[] both = Arrays.copyOf(held, held.length + 8);
            System.arraycopy(held, 0, both, held.length, 8);
            socket.getOutputStream().write(both);
            socket.setSoTimeout(20);

            boolean open = true;
            for (int second = 0; open && second < 500; second++) {
                loopback.timers.get(0).pass(Duration.ofSeconds(1));
                try {
                    open = socket.getInputStream().read() >= 0;
                } catch (SocketTimeoutException stillOpen) {
                    // The next second passes.
                }
            }

            assertThat(open).isFalse();
        }
    }

    /** docs/wire.md: "the whole handshake | 10". */
    @Test
    void the_whole_greeting_of_a_worker_has_one_bound() throws Exception {
        ManualTimers timers = new ManualTimers();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ShardClientConfig config = new ShardClientConfig(
                    Loopback.RUN, "w", loopback.contents, List.of(), Duration.ofMillis(1), loopback.handshake, timers);
            RemoteShards worker = loopback.closes(RemoteShards.of(
                    List.of((InetSocketAddress) listening.getLocalSocketAddress()),
                    config,
                    ConnectionSettings.defaults()));
            Future<Boolean> pull = threads.submit(() -> {
                worker.pull(new float[4], List.of(), new WeightVersions(1));
                return true;
            });
            try (Socket caller = listening.accept()) {
                FrameInput in = new FrameInput(Channels.newChannel(caller.getInputStream()));
                in.next(Greeting::limit);
                byte[] theirs = in.bytes(32);
                in.text();
                in.end();
                timers.pass(Duration.ofSeconds(9));
                byte[] mine = loopback.handshake.nonce();
                String called =
                        loopback.served(0, 1).layout().purpose(Loopback.RUN).called(ChannelBinding.PLAIN);
                int request = in.request();
                caller.getOutputStream()
                        .write(Conversation.bytes(out -> out.begin(FrameKind.CHALLENGE, 0, request, 0, 0, 64)
                                .bytes(mine)
                                .bytes(loopback.handshake.proof(called, theirs, mine))
                                .end()));
                in.next(Greeting::limit);
                // Nine of the ten seconds have passed, and at most two more do.
                caller.setSoTimeout(20);
                boolean open = true;
                for (int look = 0; open && look < 200; look++) {
                    timers.pass(Duration.ofMillis(10));
                    try {
                        open = caller.getInputStream().read() >= 0;
                    } catch (SocketTimeoutException stillOpen) {
                        // The worker may not await the welcome yet.
                    }
                }
                assertThat(open).isFalse();
            }
            // The worker greets once more.
            while (!pull.isDone()) {
                timers.pass(Duration.ofSeconds(1));
            }
            assertThatThrownBy(pull::get).isInstanceOf(ExecutionException.class);
        } finally {
            threads.shutdownNow();
        }
    }
}
