package dev.edl.runtime;

import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProgress;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The master's service of a pass: the task ledger behind a lock, and what the tasks that it accepts come to.
 *
 * @param <P> what a task comes to
 */
final class PassMaster<P> extends LedgerMaster {
    private final PassServices<P, ?> services;

    /** A master over a ledger that adds what it journals to {@code journaled}. */
    PassMaster(PassServices<P, ?> services, TaskLedger ledger, List<LedgerEvent> journaled) {
        super(ledger, journaled, services.events(), services.clock(), "the master to finish");
        this.services = services;
    }

    /** A worker has finished a task; what it came to counts when the ledger accepts it, which it does once. */
    void complete(Task task, P part) {
        enter();
        try {
            reported(task);
            if (!ledger.complete(task.id(), now()).accepted()) {
                return;
            }
            services.work().accept(task, part);
            outbox.add(new TrainingEvent.Progressed(progress()));
        } catch (IOException | RuntimeException unwritable) {
            breakDown("what " + task.range() + " came to cannot be written: " + Reason.of(unwritable));
        } finally {
            unlock();
        }
    }

    /** Begins the pass, unless an earlier master has. */
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

    /** Takes back what was held too long, then waits for the next change; at most a tenth of a second. */
    void watch() throws InterruptedException {
        enter();
        try {
            expire();
            if (!ledger.finished()) {
                awaitNextChange();
            }
        } finally {
            unlock();
        }
    }

    @Override
    void failed(Task task, Exception cause) {
        // The ledger counts, and hands the task out again.
    }

    @Override
    void silent(String worker) {
        // Nobody waits for a worker in a pass: there are no rounds.
    }

    @Override
    void journaled(LedgerEvent event) {
        // A pass has neither epochs nor stops to tell of.
    }
}
