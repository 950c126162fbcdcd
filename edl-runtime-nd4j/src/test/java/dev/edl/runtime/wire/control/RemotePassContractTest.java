package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.OnePass;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.PassContract;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.bounds.DaemonTimerService;
import java.time.Duration;
import java.util.Optional;

/** Runs the contract of a worker's port of a pass over a connection. */
class RemotePassContractTest extends PassContract {
    @Override
    protected Run start(Pass<?> pass) throws Exception {
        OverLoopback run = new OverLoopback(new OnePass<>(pass));
        run.serve();
        return run;
    }

    private static final class OverLoopback implements Run {
        private final OnePass<?> jvm;
        private final Loopback loopback;
        private long terms;

        private OverLoopback(OnePass<?> jvm) {
            this.jvm = jvm;
            this.loopback = new Loopback(new DaemonTimerService("unit-alarms", jvm::nanos));
        }

        private void serve() {
            terms++;
            loopback.listener.serves(Loopback.lead(new Term(terms, "master"), false), jvm::master);
        }

        @Override
        public MasterPort master(String worker) {
            return loopback.worker(worker);
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
        public void replace() {
            jvm.replace();
            loopback.retire();
            serve();
        }

        @Override
        public Optional<String> failure() {
            loopback.settle();
            return jvm.failure();
        }

        @Override
        public void close() {
            loopback.close();
            jvm.close();
        }
    }
}
