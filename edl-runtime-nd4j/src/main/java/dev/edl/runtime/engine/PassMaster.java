package dev.edl.runtime.engine;

import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProgress;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Master of a pass: the task ledger behind a lock, and the results of the accepted tasks. */
final class PassMaster extends LedgerMaster {
    private final SharedPassState<?> services;

    /** Creates a master over a ledger that adds its events to {@code seen}. */
    PassMaster(SharedPassState<?> services, TaskLedger ledger, List<LedgerEvent> seen) {
        super(ledger, seen, services.events(), services::nanos, "the master to finish");
        this.services = services;
    }

    /** Action on the result of a task whose report the ledger has accepted. */
    @FunctionalInterface
    private interface Acceptance {
        void run() throws IOException;
    }

    /** Completes an evaluation task. */
    void evaluated(Task task, double[][] sums) {
        complete(task, () -> services.work().evaluated(task, sums));
    }

    /** Completes a prediction task. */
    void predicted(Task task, float[] outputs) {
        complete(task, () -> services.work().predicted(task, outputs));
    }

    /**
     * Completes a task in the ledger, and processes its result if the ledger accepts the report, which happens once per
     * task.
     */
    private void complete(Task task, Acceptance work) {
        enter();
        try {
            reported(task);
            if (!ledger.complete(task, now()).accepted()) {
                return;
            }
            work.run();
            outbox.add(new TrainingEvent.Progressed(progress()));
        } catch (IOException | RuntimeException unwritable) {
            breakDown("the result of " + task.range() + " cannot be written: " + ExceptionText.of(unwritable));
        } finally {
            unlock();
        }
    }

    /** Returns the trained model that the pass evaluates or predicts with. */
    ModelSnapshot model() {
        return services.model();
    }

    /** Queues the tasks of the pass, unless an earlier master has done so. */
    void begin(long version) {
        enter();
        try {
            ledger.evaluate(version);
        } finally {
            unlock();
        }
    }

    boolean finished() {
        enter();
        try {
            return ledger.finished() && !isBroken();
        } finally {
            lock.unlock();
        }
    }

    Progress progress() {
        lock.lock();
        try {
            LedgerProgress p = ledger.progress();
            long records = ledger.spec().evaluationRecords();
            long recordsDone = ledger.proof().evaluations().stream()
                    .mapToLong(coverage -> coverage.once())
                    .sum();
            Duration elapsed = services.elapsed();
            double seconds = elapsed.toNanos() / 1e9;
            return new Progress(
                    0,
                    0,
                    services.tasks() - p.leased() - p.queued(),
                    services.tasks(),
                    recordsDone,
                    records,
                    services.version(),
                    Double.NaN,
                    seconds > 0 ? recordsDone / seconds : 0,
                    elapsed);
        } finally {
            lock.unlock();
        }
    }

    /** Takes back expired tasks, then waits for the next change, at most a tenth of a second. */
    void watch() throws InterruptedException {
        enter();
        try {
            expire();
            if (!ledger.finished()) {
                awaitChangeSince(changes());
            }
        } finally {
            unlock();
        }
    }

    @Override
    void failed(Task task, TaskFailure failure) {
        // The ledger counts the failure and hands the task out again.
    }

    @Override
    void happened(LedgerEvent event) {
        // A pass emits no events about epochs or stops.
    }
}
