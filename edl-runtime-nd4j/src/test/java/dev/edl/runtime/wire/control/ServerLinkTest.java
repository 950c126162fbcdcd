package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.bounds.ManualTimers;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerLinkTest {
    private static final Term TERM = ShardPortContract.FIRST;
    private static final ShardLife LIFE = ShardPortContract.LIFE;

    private final Loopback loopback = new Loopback();
    private final CountDownLatch ordered = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private volatile boolean stopped;

    @AfterEach
    void close() {
        release.countDown();
        loopback.close();
    }

    /** Returns a shard that never responds to a request. */
    private ShardPort silent() {
        return (ShardPort) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ShardPort.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("life")) {
                        return LIFE;
                    }
                    ordered.countDown();
                    Waits.on(release);
                    return 0L;
                });
    }

    private ServerLink link() {
        return loopback.server(0, () -> Optional.of(silent()));
    }

    private void lead() {
        loopback.listener.registers(Loopback.lead(TERM, false), new RemoteShardContractTest.Registering());
    }

    private RegistrationPort master() {
        return link().master(() -> {}).orElseThrow();
    }

    private ShardPort attached() throws InterruptedException {
        ShardPort port = loopback.attached.poll(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS);
        assertThat(port).isNotNull();
        return port;
    }

    private void cut() {
        ConnectAttempt attempt = link().connection().orElseThrow();
        attempt.cut();
        Loopback.awaitEnd(attempt);
    }

    @Test
    void request_fails_when_its_server_disconnects_and_the_shard_is_detached() throws Exception {
        lead();
        master().ready(0, LIFE);
        ShardPort port = attached();
        assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");
        FutureTask<Throwable> order = new FutureTask<>(() -> {
            try {
                port.version(TERM);
                return new AssertionError("the order was answered");
            } catch (ShardGoneException gone) {
                return gone;
            }
        });
        Waits.THREADS.execute(order);
        Waits.on(ordered);
        cut();

        assertThat(order.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ShardGoneException.class)
                .hasMessage("parameter shard ps-0 was detached");
        assertThat(loopback.hears()).isEqualTo("detached 0 life 0 of term 1");
        assertThatThrownBy(() -> port.flush(TERM)).isInstanceOf(ShardGoneException.class);
    }

    /** Reports the life from another thread until the test stops the server. */
    private FutureTask<Boolean> keeps() {
        FutureTask<Boolean> kept = new FutureTask<>(() -> {
            link().keep(LIFE, () -> {
                if (stopped) {
                    throw new IllegalStateException("stopped by the test");
                }
            });
            return true;
        });
        Waits.THREADS.execute(kept);
        return kept;
    }

    private void stops(FutureTask<Boolean> kept) {
        stopped = true;
        assertThatThrownBy(() -> kept.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                .rootCause()
                .hasMessage("stopped by the test");
    }

    @Test
    void life_is_reported_to_the_current_and_each_later_master() throws Exception {
        lead();
        master();
        FutureTask<Boolean> kept = keeps();
        assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");
        loopback.retire();
        loopback.listener.registers(
                Loopback.lead(ShardPortContract.SECOND, false), new RemoteShardContractTest.Registering());

        assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");
        stops(kept);
    }

    @Test
    void a_server_stays_after_the_end_for_the_successor_of_a_killed_master() throws Exception {
        ManualTimers alarms = (ManualTimers) loopback.timers;
        lead();
        master();
        FutureTask<Boolean> kept = keeps();
        assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");
        int port = loopback.listener.port();
        loopback.listener.finish();
        loopback.retire();
        alarms.await(Duration.ofSeconds(1));
        loopback.listener.close();
        Loopback next = new Loopback(alarms, port);
        try {
            next.listener.registers(
                    Loopback.lead(ShardPortContract.SECOND, false), new RemoteShardContractTest.Registering());
            alarms.pass(Duration.ofSeconds(1));

            assertThat(next.hears()).isEqualTo("attached 0 life 0 of term 1");
            stops(kept);
        } finally {
            next.close();
        }
    }

    @Test
    void a_server_ends_in_peace_when_no_master_comes_after_the_end() throws Exception {
        ManualTimers alarms = (ManualTimers) loopback.timers;
        lead();
        master();
        FutureTask<Boolean> kept = keeps();
        assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");
        loopback.listener.finish();
        loopback.retire();
        alarms.await(Duration.ofSeconds(1));
        loopback.listener.close();
        alarms.pass(Duration.ofSeconds(1));
        alarms.await(Duration.ofMillis(50));
        alarms.turn(Duration.ofMinutes(11));

        assertThat(kept.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Returns a master that receives the report of a server's life. */
    private static RegistrationPort receiving(Runnable ready) {
        return new RegistrationPort() {
            @Override
            public ShardAssignment register(int shard) {
                throw new AssertionError("the server has its life");
            }

            @Override
            public void ready(int shard, ShardLife life) {
                ready.run();
            }
        };
    }

    @Test
    void a_server_outlives_a_master_whose_term_is_stale() throws Exception {
        CountDownLatch refused = new CountDownLatch(1);
        CountDownLatch accepted = new CountDownLatch(1);
        loopback.listener.registers(Loopback.lead(TERM, false), receiving(() -> {
            refused.countDown();
            throw new StaleTermException("ps-1", TERM, ShardPortContract.SECOND);
        }));
        master();
        FutureTask<Boolean> kept = keeps();
        Waits.on(refused);
        loopback.listener.retire();
        loopback.listener.registers(Loopback.lead(ShardPortContract.SECOND, false), receiving(accepted::countDown));

        Waits.on(accepted);
        stops(kept);
    }

    @Test
    void a_server_whose_connection_breaks_is_attached_again() throws Exception {
        lead();
        master().ready(0, LIFE);
        assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");
        cut();
        assertThat(loopback.hears()).isEqualTo("detached 0 life 0 of term 1");
        master().ready(0, LIFE);

        assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");
    }

    @Test
    void replaced_server_is_told_to_end() throws Exception {
        lead();
        RegistrationPort old = master();
        ShardLife first = old.register(0).life();
        old.ready(0, first);
        assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");
        try (ServerLink successor =
                ServerLink.of(loopback.caller(Hello.Role.SERVER, 0, "ps-0-again"), Optional::empty)) {
            RegistrationPort next = successor.master(() -> {}).orElseThrow();
            ShardLife second = next.register(0).life();
            Loopback.awaitEnd(link().connection().orElseThrow());
            assertThat(loopback.hears()).isEqualTo("detached 0 life 0 of term 1");
            next.ready(0, second);
            assertThat(loopback.hears()).isEqualTo("attached 0 life 1 of term 1");

            assertThatThrownBy(() -> old.ready(0, first)).isInstanceOf(MasterGoneException.class);
            assertThatThrownBy(() -> master().ready(0, first))
                    .isInstanceOf(TryAgainException.class)
                    .hasMessage("ps-0 was replaced: its life 0 of term 1 has ended, since life 1 of term 1 has begun");
        }
        assertThat(loopback.hears()).isEqualTo("detached 0 life 1 of term 1");
    }

    @Test
    void server_of_a_lost_master_cannot_replace_a_life_of_equal_number() throws Exception {
        lead();
        try (ServerLink successor =
                ServerLink.of(loopback.caller(Hello.Role.SERVER, 0, "ps-0-again"), Optional::empty)) {
            successor.master(() -> {}).orElseThrow().ready(0, new ShardLife("master/second", 1, 0));
            assertThat(loopback.hears()).isEqualTo("attached 0 life 0 of term 1");

            assertThatThrownBy(() -> master().ready(0, new ShardLife("master/first", 1, 0)))
                    .isInstanceOf(TryAgainException.class)
                    .hasMessage("ps-0 was replaced: its life 0 of term 1 has ended, since life 0 of term 1 of another"
                            + " master has begun");
        }
        assertThat(loopback.hears()).isEqualTo("detached 0 life 0 of term 1");
    }

    @Test
    void a_server_of_another_run_is_refused() {
        lead();

        assertThatThrownBy(() -> master().ready(0, new ShardLife("other", 1, 0)))
                .isInstanceOf(TryAgainException.class)
                .hasMessage("ps-0 serves the run \"other\", and this master leads the run \"master\"");
    }

    @Test
    void a_server_registers_its_own_shard_only() {
        lead();

        assertThatThrownBy(() -> master().register(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the server of ps-0 cannot register ps-1");
    }

    @Test
    void request_to_an_ended_life_is_refused() throws Exception {
        lead();
        loopback.server(0, Optional::empty).master(() -> {}).orElseThrow().ready(0, LIFE);
        ShardPort port = attached();

        assertThatThrownBy(() -> port.pinned(TERM, 1)).isInstanceOf(ShardGoneException.class);
    }
}
