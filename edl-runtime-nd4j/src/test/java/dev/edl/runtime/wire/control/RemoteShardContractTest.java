package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.ManualTimers;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs the contract of a master's port to a shard over the connection that its server opened. */
class RemoteShardContractTest extends ShardPortContract {
    private final Loopback loopback = new Loopback(new ManualTimers(), key());

    Handshake key() {
        return Loopback.SECRET;
    }

    @Override
    ShardPort port(HostedShard shard) throws Exception {
        loopback.listener.registers(Loopback.lead(FIRST, false), new Registering());
        loopback.server(0, () -> Optional.of(shard))
                .master(() -> {})
                .orElseThrow()
                .ready(0, LIFE);
        return Objects.requireNonNull(loopback.attached.poll(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS));
    }

    /** Accepts every life. */
    static final class Registering implements RegistrationPort {
        private long lives;
        /** State that each new life restores; null for the initial values. */
        volatile @Nullable SavedShard saved;

        @Override
        public synchronized ShardAssignment register(int shard) {
            return new ShardAssignment(FIRST, new ShardLife("master", 1, lives++), 8, saved);
        }

        @Override
        public void ready(int shard, ShardLife life) {}
    }

    @Test
    void a_copy_is_transferred_after_the_response_and_its_pushes() throws Exception {
        ShardPort port = port(hosted);
        push(0);
        CountDownLatch writable = new CountDownLatch(1);
        loopback.codec.writable = writable;
        port.beginCut(FIRST, 0);
        FutureTask<SnapshotTransfer> saved = new FutureTask<>(() -> port.saveCut(FIRST, 0));
        Waits.THREADS.execute(saved);
        try (SnapshotTransfer copy = saved.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS)) {
            push(1);
            writable.countDown();

            assertThat(copy.await().appliedPushes()).containsExactly(0L);
        }
    }

    @Test
    void a_copy_that_does_not_arrive_ends_the_connection_of_its_server() throws Exception {
        ShardPort port = port(hosted);
        ConnectAttempt attempt =
                loopback.server(0, () -> Optional.of(hosted)).connection().orElseThrow();
        loopback.codec.broken = true;
        port.beginCut(FIRST, 0);
        try (SnapshotTransfer copy = port.saveCut(FIRST, 0)) {
            assertThatThrownBy(copy::await).isInstanceOf(ShardGoneException.class);
        }

        // The server then reports its life again, and the shard is attached.
        Loopback.awaitEnd(attempt);
    }

    @Test
    void a_saved_state_that_does_not_arrive_ends_the_connection_to_its_master() throws Exception {
        ShardPort port = port(hosted);
        port.beginCut(FIRST, 0);
        ShardSnapshot state;
        try (SnapshotTransfer copy = port.saveCut(FIRST, 0)) {
            state = copy.await();
        }
        Registering restoring = new Registering();
        restoring.saved = () -> state;
        loopback.listener.registers(Loopback.lead(FIRST, false), restoring);
        try (ServerLink next = ServerLink.of(loopback.caller(Hello.Role.SERVER, 0, "ps-0-again"), Optional::empty)) {
            SavedShard saved = registered(next);
            ConnectAttempt attempt = next.connection().orElseThrow();
            loopback.codec.broken = true;
            assertThatThrownBy(saved::read).isInstanceOf(MasterGoneException.class);
            Loopback.awaitEnd(attempt);
            loopback.codec.broken = false;

            assertThat(registered(next).read()).isSameAs(state);
        }
    }

    private static SavedShard registered(ServerLink server) {
        ShardAssignment assignment = server.master(() -> {}).orElseThrow().register(0);
        return Objects.requireNonNull(assignment.saved());
    }

    @Override
    void close() {
        loopback.codec.writable.countDown();
        loopback.close();
    }
}
