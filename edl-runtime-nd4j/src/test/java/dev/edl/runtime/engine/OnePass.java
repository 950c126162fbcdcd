package dev.edl.runtime.engine;

import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.PassContract;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Master of a pass without threads: a test does the work of all roles and sets the time. */
public final class OnePass<R> implements PassContract.Run {
    private final EventHub events = new EventHub("unit", List.of());
    private final SharedPassState<R> services;
    private volatile PassMaster master;
    private final AtomicLong nanos = new AtomicLong();

    public OnePass(Pass<R> pass) throws IOException {
        services = new SharedPassState<>(
                "master",
                pass,
                pass.begin().work(),
                pass.load(),
                events,
                new RunClock(() -> Instant.EPOCH, nanos::get));
        master = lead(TaskLedger.start(SharedPassState.ledgerSpec(pass), event -> {}));
    }

    private PassMaster lead(TaskLedger ledger) {
        PassMaster next = new PassMaster(services, ledger, new ArrayList<>());
        next.begin(services.version());
        return next;
    }

    @Override
    public MasterPort master(String worker) {
        return new LocalPassMasterPort(master, worker);
    }

    /** Returns the elapsed time. */
    public long nanos() {
        return nanos.get();
    }

    @Override
    public void watch() throws InterruptedException {
        master.watch();
    }

    @Override
    public void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public void replace() {
        master.retire();
        master = lead(master.ledger.handedTo(event -> {}));
    }

    @Override
    public Optional<String> failure() {
        return master.failure();
    }

    @Override
    public void close() {
        services.close(new NoReplicas());
    }

    /** Substrate without replicas: the test does their work. */
    private static final class NoReplicas implements Substrate {
        @Override
        public JobObservation observe(JobPlan plan) {
            return new JobObservation(List.of());
        }

        @Override
        public void apply(JobPlan plan, Action action) {
            throw new IllegalStateException(action + " is for a place with replicas");
        }

        @Override
        public Subscription onChange(String job, Runnable wake) {
            return () -> {};
        }

        @Override
        public void close() {}
    }
}
