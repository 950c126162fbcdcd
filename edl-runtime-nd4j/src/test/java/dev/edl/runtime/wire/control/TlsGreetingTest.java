package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.tls.TlsRelay;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests callers and a master with TLS, and one end without it. */
@Timeout(60)
class TlsGreetingTest {
    private static final String MISMATCH = "EDL_TLS must be equal at both ends, for example EDL_TLS=token";

    private final NotedMaster master = new NotedMaster();
    private Loopback loopback = new Loopback(new ManualTimers(), Loopback.tls());

    @AfterEach
    void close() {
        loopback.close();
    }

    private void serve() {
        loopback.listener.serves(Loopback.lead(new Term(1, "m"), false), worker -> master);
    }

    /** Returns the outcome of an attempt to connect to an address. */
    private ConnectAttempt.Outcome connect(Handshake key, InetSocketAddress address) throws Exception {
        CallerConfig known = loopback.caller(Hello.Role.WORKER, 3, "worker-3");
        CallerConfig config = new CallerConfig(
                () -> address,
                known.hello(),
                known.run(),
                key,
                known.codec(),
                known.timers(),
                known.jitter(),
                known.absence(),
                known.settings());
        try (ConnectAttempt attempt =
                new ConnectAttempt(config, SocketChannel.open(), Waits.THREADS, (caller, message) -> {})) {
            attempt.open(Waits.THREADS);
            return attempt.outcome().get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private InetSocketAddress listener() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), loopback.listener.port());
    }

    private void isAway(Handshake key, InetSocketAddress address, String reason) throws Exception {
        assertThat(connect(key, address))
                .asInstanceOf(InstanceOfAssertFactories.type(ConnectAttempt.Outcome.Unreachable.class))
                .extracting(ConnectAttempt.Outcome.Unreachable::reason, InstanceOfAssertFactories.STRING)
                .contains(reason);
        assertThat(master.calls).isEmpty();
    }

    @Test
    void ends_with_certificates_of_their_own_work_together() throws Exception {
        serve();
        assertThat(connect(Loopback.tls(), listener())).isInstanceOf(ConnectAttempt.Outcome.Welcomed.class);
    }

    @Test
    void relay_that_ends_tls_on_both_sides_gets_nothing() throws Exception {
        serve();
        try (TlsRelay relay = new TlsRelay(listener())) {
            isAway(Loopback.tls(), relay.address(), "failed to authenticate with this job's token");
        }
    }

    @Test
    void silent_program_at_the_masters_address_is_left_after_the_greeting_bound() throws Exception {
        try (ServerSocketChannel silent = ServerSocketChannel.open()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CompletableFuture<ConnectAttempt.Outcome> outcome = new CompletableFuture<>();
            Waits.THREADS.execute(() -> {
                try {
                    outcome.complete(connect(Loopback.SECRET, (InetSocketAddress) silent.getLocalAddress()));
                } catch (Exception e) {
                    outcome.completeExceptionally(e);
                }
            });
            try (Stranger stranger = Stranger.accepted(silent)) {
                stranger.readsHello();
                ((ManualTimers) loopback.timers).pass(Loopback.bounds().build().greeting());
                assertThat(outcome.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                        .hasToString(new ConnectAttempt.Outcome.Unreachable(
                                        "the master at " + silent.getLocalAddress()
                                                + " did not authenticate within 1m, the bound connections.greeting",
                                        true)
                                .toString());
            }
        }
    }

    @Test
    void caller_without_tls_gets_the_reason() throws Exception {
        serve();
        isAway(Loopback.SECRET, listener(), MISMATCH);
    }

    @Test
    void master_without_tls_gets_the_reason_and_sends_it() throws Exception {
        loopback.close();
        loopback = new Loopback();
        serve();
        isAway(Loopback.tls(), listener(), MISMATCH);
    }
}
