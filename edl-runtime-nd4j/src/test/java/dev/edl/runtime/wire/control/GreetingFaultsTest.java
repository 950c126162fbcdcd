package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.LogRecords;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.control.internal.MessageConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers at a master, and callers that are closed while they greet. */
@Timeout(120)
class GreetingFaultsTest {
    private final Loopback loopback = new Loopback(new ManualTimers());

    @AfterEach
    void close() {
        loopback.close();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && thread.getName().startsWith("unit-master-net-"))
                .filter(thread -> List.of(thread.getStackTrace()).toString().contains("MessageConnection.run"))
                .count();
    }

    /** A stranger that was sent the reason, and does not close, still has a thread, two buffers and a socket. */
    @Test
    void strangers_with_an_invalid_frame_count_for_the_limit() throws Exception {
        List<Stranger> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 4 * ConnectionSettings.defaults().strangers(); i++) {
                Stranger stranger = new Stranger(loopback.listener);
                strangers.add(stranger);
                stranger.sends("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                // The start of ERROR with the reason.
                stranger.channel.read(ByteBuffer.allocate(4));
            }
            assertThat(threads())
                    .isLessThanOrEqualTo(ConnectionSettings.defaults().strangers() + 2L);
        } finally {
            strangers.forEach(Stranger::close);
        }
    }

    /** A caller that is closed within its greeting must not write on another thread than its greeting's. */
    @Test
    void a_caller_that_is_closed_while_it_greets_sends_no_frame() throws Exception {
        ExecutorService network = Executors.newCachedThreadPool();
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CallerConfig known = loopback.caller(Hello.Role.WORKER, 3, "worker-3");
            InetSocketAddress address = (InetSocketAddress) listening.getLocalAddress();
            ConnectAttempt attempt = new ConnectAttempt(
                    new CallerConfig(
                            () -> address,
                            known.hello(),
                            known.run(),
                            known.handshake(),
                            known.codec(),
                            known.timers(),
                            known.jitter(),
                            known.absence(),
                            known.settings()),
                    SocketChannel.open(),
                    network,
                    (from, message) -> {});
            attempt.open(network);
            try (Stranger master = Stranger.accepted(listening)) {
                master.readsHello();

                attempt.close();

                ByteBuffer header = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
                int read = master.channel.read(header);
                assertThat(read < 0 ? "end" : "frame of kind " + header.get(6)).isEqualTo("end");
            } finally {
                attempt.cut();
            }
        } finally {
            network.shutdownNow();
        }
    }

    /** The same with a master, many times: its log, and failures of the caller's threads. */
    @Test
    void a_caller_that_is_closed_while_it_greets_leaves_no_warning() throws Exception {
        Queue<String> thrown = new ConcurrentLinkedQueue<>();
        ExecutorService network = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "caller");
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((t, e) -> thrown.add(e + " at " + e.getStackTrace()[0]));
            return thread;
        });
        try (LogRecords log = new LogRecords(MessageConnection.class)) {
            CallerConfig known = loopback.caller(Hello.Role.WORKER, 3, "worker-3");
            for (int i = 0; i < 1000; i++) {
                SocketChannel channel = SocketChannel.open();
                ConnectAttempt attempt = new ConnectAttempt(known, channel, network, (from, message) -> {});
                attempt.open(network);
                while (!channel.isConnected()) {
                    Thread.onSpinWait();
                }
                for (int spin = 0; spin < (i % 50) * 200; spin++) {
                    Thread.onSpinWait();
                }
                attempt.close();
                attempt.ended().get(20, TimeUnit.SECONDS);
            }
            network.shutdown();
            assertThat(network.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(log.records()).extracting(LogRecord::getMessage).isEmpty();
            assertThat(thrown).isEmpty();
        } finally {
            network.shutdownNow();
        }
    }

    /** Before, the stream's end was logged as a warning at once. */
    @Test
    void another_program_at_the_masters_address_is_logged_at_once() throws Exception {
        try (ServerSocketChannel listening = ServerSocketChannel.open();
                LogRecords log = new LogRecords(MessageConnection.class);
                LogRecords dialer = new LogRecords(MasterDialer.class)) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CallerConfig known = loopback.caller(Hello.Role.WORKER, 3, "worker-3");
            InetSocketAddress address = (InetSocketAddress) listening.getLocalAddress();
            ManualTimers timers = new ManualTimers();
            CallerConfig config = new CallerConfig(
                    () -> address,
                    known.hello(),
                    known.run(),
                    known.handshake(),
                    known.codec(),
                    timers,
                    known.jitter(),
                    known.absence(),
                    known.settings());
            ExecutorService threads = Executors.newCachedThreadPool();
            try (WorkerLink link = WorkerLink.of(config)) {
                threads.execute(() -> {
                    try {
                        link.master(() -> {});
                    } catch (RuntimeException closed) {
                        // By the end of the test.
                    }
                });
                try (Stranger caller = Stranger.accepted(listening)) {
                    caller.sends("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    timers.await(Duration.ofMillis(50));
                }
                assertThat(log.records().size() + dialer.records().size()).isPositive();
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Any program at the address can send the text, which MessageConnection would write as one line. */
    @Test
    void the_text_of_an_unauthenticated_program_cannot_forge_lines_of_the_log() throws Exception {
        try (ServerSocketChannel listening = ServerSocketChannel.open();
                LogRecords dialer = new LogRecords(MasterDialer.class)) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CallerConfig known = loopback.caller(Hello.Role.WORKER, 3, "worker-3");
            InetSocketAddress address = (InetSocketAddress) listening.getLocalAddress();
            CallerConfig config = new CallerConfig(
                    () -> address,
                    known.hello(),
                    known.run(),
                    known.handshake(),
                    known.codec(),
                    new ManualTimers(),
                    known.jitter(),
                    known.absence(),
                    known.settings());
            ExecutorService threads = Executors.newCachedThreadPool();
            try (WorkerLink link = WorkerLink.of(config)) {
                threads.execute(() -> {
                    try {
                        link.master(() -> {});
                    } catch (RuntimeException closed) {
                        // By the end of the test.
                    }
                });
                try (Stranger caller = Stranger.accepted(listening)) {
                    caller.messages.last("x\nSEVERE: forged" + "y".repeat(8000), Loopback.FRAME);
                    assertThat(dialer.first().getMessage()).doesNotContain("\n").hasSizeLessThan(2000);
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** A caller that does not accept the master's proof: the master's log of each attempt. */
    @Test
    void a_caller_of_another_token_is_no_invalid_frame_in_the_masters_log() throws Exception {
        ManualTimers timers = new ManualTimers();
        CallerConfig known = loopback.caller(Hello.Role.WORKER, 3, "worker-3", Loopback.other(), Loopback.DIGEST);
        CallerConfig config = new CallerConfig(
                known.address(),
                known.hello(),
                known.run(),
                known.handshake(),
                known.codec(),
                timers,
                known.jitter(),
                known.absence(),
                known.settings());
        ExecutorService threads = Executors.newCachedThreadPool();
        try (LogRecords log = new LogRecords(MessageConnection.class);
                LogRecords unused = new LogRecords(MasterDialer.class);
                WorkerLink link = WorkerLink.of(config)) {
            threads.execute(() -> {
                try {
                    link.master(() -> {});
                } catch (RuntimeException closed) {
                    // By the end of the test.
                }
            });
            for (int pause = 50; pause <= 400; pause *= 2) {
                timers.await(Duration.ofMillis(pause));
                timers.pass(Duration.ofMillis(pause));
            }
            timers.await(Duration.ofMillis(800));
            assertThat(log.records()).extracting(LogRecord::getMessage).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }
}
