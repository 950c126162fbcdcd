package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.LogRecords;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.frames.Greeting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AdmissionTest {
    private static final Handshake OTHER = Loopback.other();

    private final ManualTimers alarms = new ManualTimers();
    private final NotedMaster master = new NotedMaster();
    private final Loopback loopback = new Loopback(alarms);

    @AfterEach
    void close() {
        loopback.close();
    }

    private void serve() {
        loopback.listener.serves(Loopback.lead(ShardPortContract.FIRST, false), worker -> master);
    }

    private WorkerLink stranger(Handshake token, String digest) {
        return WorkerLink.of(loopback.caller(Hello.Role.WORKER, 3, "worker-3", token, digest));
    }

    private String address() {
        return "localhost/127.0.0.1:" + loopback.listener.port();
    }

    @Test
    void worker_with_another_token_warns_at_once_and_waits_for_its_own_master() throws Exception {
        serve();
        String reason = "the master at " + address()
                + " failed to authenticate with this job's token as master of run \"run-1\"";
        try (WorkerLink link = stranger(OTHER, Loopback.DIGEST);
                LogRecords log = new LogRecords(MasterDialer.class)) {
            FutureTask<Optional<MasterPort>> reached = new FutureTask<>(() -> link.master(() -> {}));
            Waits.THREADS.execute(reached);
            alarms.await(Duration.ofMillis(50));
            alarms.pass(Duration.ofMillis(50));
            alarms.await(Duration.ofMillis(100));
            assertThat(log.records())
                    .extracting(LogRecord::getMessage)
                    .containsExactly("worker-3 could not authenticate its master, retrying for at most 10m,"
                            + " the absenceTimeout: " + reason);
            alarms.turn(Duration.ofMinutes(10));

            assertThatThrownBy(() -> reached.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(TryAgainException.class)
                    .hasMessage("the master of worker-3 did not come back within 10m, the absenceTimeout: " + reason);
        }
        assertThat(master.calls).isEmpty();
        assertThat(loopback.listener.streams()).isZero();
    }

    @Test
    void caller_with_another_token_is_refused() throws Exception {
        serve();
        try (Stranger stranger = new Stranger(loopback.listener)) {
            stranger.begins("");
            stranger.proves(new byte[32]);

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the caller failed to authenticate with this job's token");
            assertThat(stranger.messages.isRefused()).isTrue();
        }
        assertThat(loopback.listener.streams()).isZero();
    }

    @Test
    void worker_of_another_training_is_refused_naming_the_difference() {
        serve();
        try (WorkerLink link = stranger(Loopback.SECRET, "model mnist\nminibatch 32")) {
            assertThatThrownBy(() -> link.master(() -> {}))
                    .isInstanceOf(MasterRejectedException.class)
                    .hasMessage("the master at " + address()
                            + " refuses worker-3: \"model mnist\nminibatch 32\" is not \"model mnist\nminibatch 64\"");
        }
    }

    @Test
    void silent_caller_is_disconnected_after_the_timeout() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener)) {
            alarms.await(Duration.ofMinutes(1));
            alarms.pass(Duration.ofMinutes(1));

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the caller did not authenticate within 1m, the bound connections.greeting");
            // It may be a genuine worker whose process was suspended, and retries.
            assertThat(stranger.messages.isRefused()).isFalse();
        }
    }

    @Test
    void bulk_transfers_require_an_open_connection() {
        serve();
        BulkTransferClient client = new BulkTransferClient(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), loopback.listener.port()),
                Loopback.SECRET,
                Greeting.Purpose.content(Loopback.RUN, "session-1"),
                alarms,
                Loopback.bounds().build());
        assertThatThrownBy(() -> client.download("model", Map.of("version", 1), (head, from) -> from.readAllBytes()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "model: the master sent ERROR before it authenticated: no open connection has this session");
        assertThatThrownBy(() -> client.upload("predicted", Map.of("outputs", 1), to -> to.write(new byte[4])))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "predicted: the master sent ERROR before it authenticated: no open connection has this session");
        assertThat(master.calls).isEmpty();
    }

    @Test
    void caller_waits_until_a_master_leads() throws Exception {
        FutureTask<Optional<MasterPort>> reached =
                new FutureTask<>(() -> loopback.link("a").master(() -> {}));
        Waits.THREADS.execute(reached);
        alarms.await(Duration.ofMinutes(1));
        serve();

        assertThat(reached.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS)).isPresent();
    }

    @Test
    void caller_after_the_end_is_told_that_training_has_finished() {
        serve();
        loopback.listener.finish();

        assertThat(loopback.link("a").master(() -> {})).isEmpty();
    }

    @Test
    void caller_reconnects_to_a_master_of_another_process() throws Exception {
        serve();
        loopback.worker("a").next();
        int port = loopback.listener.port();
        loopback.listener.close();
        FutureTask<Optional<MasterPort>> reached =
                new FutureTask<>(() -> loopback.link("a").master(() -> {}));
        Waits.THREADS.execute(reached);
        alarms.await(Duration.ofMillis(50));
        Loopback next = new Loopback(alarms, port);
        try {
            next.listener.serves(Loopback.lead(ShardPortContract.SECOND, false), worker -> master);
            alarms.pass(Duration.ofMillis(50));

            assertThat(reached.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isPresent();
        } finally {
            next.close();
        }
    }

    @Test
    void caller_without_a_master_gives_up_after_the_absence_timeout() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        CallerConfig known = loopback.caller(Hello.Role.WORKER, 3, "worker-3");
        CallerConfig config = new CallerConfig(
                () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                known.hello(),
                known.run(),
                known.handshake(),
                known.codec(),
                known.timers(),
                known.jitter(),
                known.absence(),
                known.settings());
        try (WorkerLink link = WorkerLink.of(config)) {
            FutureTask<Optional<MasterPort>> reached = new FutureTask<>(() -> link.master(() -> {}));
            Waits.THREADS.execute(reached);
            alarms.await(Duration.ofMillis(50));
            alarms.turn(Duration.ofMinutes(10));

            assertThatThrownBy(() -> reached.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(TryAgainException.class)
                    .hasMessage(
                            "the master of worker-3 did not come back within 10m, the absenceTimeout: localhost/127.0.0.1:"
                                    + port + ": Connection refused");
        }
    }

    /** Stops a caller's wait. */
    private static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void a_caller_that_is_stopped_waits_no_longer() {
        assertThatThrownBy(() -> loopback.link("a").master(() -> {
                    throw new Stopped();
                }))
                .isInstanceOf(Stopped.class);
    }
}
