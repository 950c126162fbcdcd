package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.ShardPort;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs the contract of a master's port to a shard over the connection that its server opened. */
class RemoteShardContractTest extends ShardPortContract {
    private final Loopback loopback = new Loopback();

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

        @Override
        public synchronized ShardAssignment register(int shard) {
            return new ShardAssignment(FIRST, new ShardLife("master", 1, lives++), 8, null);
        }

        @Override
        public void ready(int shard, ShardLife life) {}
    }

    @Override
    void close() {
        loopback.close();
    }
}
