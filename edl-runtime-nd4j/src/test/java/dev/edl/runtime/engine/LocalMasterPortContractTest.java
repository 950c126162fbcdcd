package dev.edl.runtime.engine;

import dev.edl.runtime.Progress;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.ports.MasterContract;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.ps.ports.ShardsPort;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

class LocalMasterPortContractTest extends MasterContract {
    @Override
    protected Run start(Training training) throws Exception {
        InOneJvm run = new InOneJvm(new OneJvm(training));
        run.bringBack(0);
        run.bringBack(1);
        run.jvm.publish();
        return run;
    }

    private record InOneJvm(OneJvm jvm) implements Run {
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
        public void pass(Duration time) {
            jvm.pass(time);
        }

        @Override
        public void replace() throws InterruptedException {
            jvm.replace();
            jvm.publish();
        }

        @Override
        public void lose(int shard) {
            jvm.group.detach(shard);
        }

        @Override
        public void bringBack(int shard) {
            Servers.start(jvm.registration(), jvm.services, shard);
        }

        @Override
        public Progress progress() {
            return jvm.master().progress();
        }

        @Override
        public Optional<String> failure() {
            return jvm.master().failure();
        }

        @Override
        public void onTraining(Consumer<TrainingEvent> listener) {
            jvm.events.add(listener);
        }

        @Override
        public void close() {
            jvm.close();
        }
    }
}
