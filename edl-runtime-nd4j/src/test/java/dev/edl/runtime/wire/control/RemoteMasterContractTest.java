package dev.edl.runtime.wire.control;

import dev.edl.runtime.Progress;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.OneJvm;
import dev.edl.runtime.engine.ports.MasterContract;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.DaemonTimerService;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the contract of a worker's port over a connection. Notifications have taken effect before the test checks them.
 */
class RemoteMasterContractTest extends MasterContract {
    @Override
    protected Run start(Training training) throws Exception {
        OverLoopback run =
                new OverLoopback(new OneJvm(training), training.consistency().isSynchronous(), key());
        run.bringBack(0);
        run.bringBack(1);
        run.jvm.publish();
        run.serve();
        return run;
    }

    Handshake key() {
        return Loopback.SECRET;
    }

    private static final class OverLoopback implements Run {
        private final OneJvm jvm;
        private final boolean rounds;
        private final Loopback loopback;

        private OverLoopback(OneJvm jvm, boolean rounds, Handshake key) {
            this.jvm = jvm;
            this.rounds = rounds;
            this.loopback = new Loopback(new DaemonTimerService("unit-alarms", jvm::nanos), key);
        }

        private void serve() {
            loopback.listener.serves(Loopback.lead(jvm.term(), rounds), jvm::master);
        }

        @Override
        public MasterPort master(String worker) {
            return loopback.worker(worker);
        }

        @Override
        public ShardsPort shards(String worker) {
            ShardsPort shards = jvm.group.worker(worker);
            return (ShardsPort) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {ShardsPort.class}, (proxy, method, arguments) -> {
                        loopback.settle();
                        try {
                            return method.invoke(shards, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        public void watch() throws InterruptedException {
            loopback.settle();
            jvm.watch();
        }

        @Override
        public void pass(Duration time) {
            loopback.settle();
            jvm.pass(time);
        }

        @Override
        public void replace() throws InterruptedException {
            jvm.replace();
            jvm.publish();
            loopback.retire();
            serve();
        }

        @Override
        public void lose(int shard) {
            jvm.group.detach(shard);
        }

        @Override
        public void bringBack(int shard) {
            jvm.bringBack(shard);
        }

        @Override
        public Progress progress() {
            loopback.settle();
            return jvm.progress();
        }

        @Override
        public Optional<String> failure() {
            loopback.settle();
            return jvm.failure();
        }

        @Override
        public void onTraining(Consumer<TrainingEvent> listener) {
            jvm.onTraining(listener);
        }

        @Override
        public void close() {
            loopback.close();
            jvm.close();
        }
    }
}
