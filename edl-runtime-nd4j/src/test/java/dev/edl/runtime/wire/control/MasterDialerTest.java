package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.LogRecords;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.wire.bounds.ManualTimers;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process without free file descriptors cannot open a socket. */
@Timeout(60)
class MasterDialerTest {
    private final ManualTimers alarms = new ManualTimers();
    private final Loopback loopback = new Loopback(alarms);

    @AfterEach
    void close() {
        loopback.close();
    }

    private MasterDialer dialer(int failures) {
        AtomicInteger left = new AtomicInteger(failures);
        return new MasterDialer(loopback.caller(Hello.Role.SERVER, 0, "ps-0"), (attempt, message) -> {}, () -> {
            if (left.getAndDecrement() > 0) {
                throw new SocketException("Too many open files");
            }
            return SocketChannel.open();
        });
    }

    private FutureTask<Optional<MasterDialer.ReachedMaster>> dials(MasterDialer dialer) {
        FutureTask<Optional<MasterDialer.ReachedMaster>> dial = new FutureTask<>(() -> dialer.dial(() -> {}));
        Waits.THREADS.execute(dial);
        return dial;
    }

    @Test
    void a_caller_without_a_socket_tries_again() throws Exception {
        loopback.listener.registers(
                Loopback.lead(ShardPortContract.FIRST, false), new RemoteShardContractTest.Registering());
        try (MasterDialer dialer = dialer(3)) {
            FutureTask<Optional<MasterDialer.ReachedMaster>> dial = dials(dialer);
            for (int failure = 0; failure < 3; failure++) {
                alarms.await(Duration.ofSeconds(10));
                alarms.pass(alarms.pending().get(0));
            }

            assertThat(dial.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS)).isPresent();
        }
    }

    @Test
    void caller_without_a_socket_reports_it_after_the_absence_timeout() throws Exception {
        try (MasterDialer dialer = dialer(Integer.MAX_VALUE)) {
            FutureTask<Optional<MasterDialer.ReachedMaster>> dial = dials(dialer);
            alarms.await(Duration.ofSeconds(10));
            alarms.turn(Duration.ofMinutes(11));

            assertThatThrownBy(() -> dial.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(TryAgainException.class)
                    .hasMessageMatching("the master of .*ps-0.* did not come back within 10m, the absenceTimeout:"
                            + " cannot open a socket: Too many open files");
        }
    }

    @Test
    void a_long_wait_is_logged_with_its_reason_and_its_bound() throws Exception {
        try (MasterDialer dialer = dialer(Integer.MAX_VALUE);
                LogRecords log = new LogRecords(MasterDialer.class)) {
            FutureTask<Optional<MasterDialer.ReachedMaster>> dial = dials(dialer);
            alarms.await(Duration.ofSeconds(10));
            alarms.turn(Duration.ofSeconds(15));
            String said = log.first().getMessage();
            alarms.turn(Duration.ofMinutes(11));

            assertThatThrownBy(() -> dial.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TryAgainException.class);
            assertThat(said)
                    .matches(".*ps-0.* has waited for its master for 15s, at most 10m:"
                            + " cannot open a socket: Too many open files");
        }
    }
}
