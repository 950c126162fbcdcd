package dev.edl.runtime.engine;

import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationContract;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardHost;
import dev.edl.runtime.ps.ports.ShardsPort;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalRegistrationContractTest extends RegistrationContract {
    @TempDir
    Path folder;

    @Override
    protected Run start(TrainingBuilder training) throws Exception {
        return new InOneJvm(new OneJvm(training.checkpointDirectory(folder).build()));
    }

    private record InOneJvm(OneJvm jvm) implements Run {
        @Override
        public RegistrationPort registration() {
            return jvm.registration();
        }

        @Override
        public ShardHost host(int shard) {
            return Servers.host(jvm.services, shard);
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
        }

        @Override
        public void checkpoint() throws InterruptedException, IOException {
            jvm.services.checkpoint(jvm.group.cut());
        }

        @Override
        public String run() {
            return "master";
        }

        @Override
        public void close() {
            jvm.close();
        }
    }
}
