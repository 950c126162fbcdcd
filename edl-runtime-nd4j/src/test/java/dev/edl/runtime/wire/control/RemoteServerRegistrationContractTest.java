package dev.edl.runtime.wire.control;

import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.engine.OneJvm;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationContract;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.engine.ports.ShardSlot;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.wire.bounds.DaemonTimerService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract of a server's port over one connection per server. */
class RemoteServerRegistrationContractTest extends RegistrationContract {
    @TempDir
    Path folder;

    @Override
    protected Run start(TrainingBuilder training) throws Exception {
        OverLoopback run =
                new OverLoopback(new OneJvm(training.checkpointDirectory(folder).build()));
        run.lead();
        return run;
    }

    private static final class OverLoopback implements Run {
        private final OneJvm jvm;
        private final Loopback loopback;

        private OverLoopback(OneJvm jvm) {
            this.jvm = jvm;
            this.loopback = new Loopback(new DaemonTimerService("unit-alarms", jvm::nanos));
        }

        private void lead() {
            loopback.listener.registers(Loopback.lead(jvm.term(), false), jvm.registration());
        }

        @Override
        public RegistrationPort registration() {
            List<RegistrationPort> ports = IntStream.range(0, 2)
                    .mapToObj(index -> loopback.server(index, Optional::empty)
                            .master(() -> {})
                            .orElseThrow())
                    .toList();
            return new RegistrationPort() {
                @Override
                public ShardAssignment register(int shard) {
                    return ports.get(shard).register(shard);
                }

                @Override
                public void ready(int shard, ShardLife life) {
                    ports.get(shard).ready(shard, life);
                }
            };
        }

        @Override
        public ShardSlot slot(int shard) {
            return jvm.slot(shard);
        }

        @Override
        public MasterPort master(String worker) {
            return jvm.master(worker);
        }

        @Override
        public ShardsPort shards(String worker) {
            return jvm.group.worker(worker);
        }

        @Override
        public void watch() throws InterruptedException {
            jvm.watch();
        }

        @Override
        public void replace() {
            jvm.replace();
            loopback.retire();
            lead();
        }

        @Override
        public void checkpoint() throws InterruptedException, IOException {
            jvm.checkpoint();
        }

        @Override
        public String run() {
            return "master";
        }

        @Override
        public void close() {
            loopback.close();
            jvm.close();
        }
    }
}
