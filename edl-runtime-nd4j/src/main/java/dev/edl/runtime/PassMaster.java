package dev.edl.runtime;

import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProgress;
import dev.edl.runtime.task.LedgerProof;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The master's service of a pass: the task ledger behind a lock, and what the tasks that it accepts come to.
 *
 * @param <P> what a task comes to
 */
final class PassMaster<P> {
    private static final Duration WAIT = Duration.ofMillis(100);

    private final PassServices<P, ?> services;
    private final TaskLedger ledger;
    private final List<LedgerEvent> journaled;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<TrainingEvent> outbox = new ArrayList<>();
    private final Map<Integer, Instant> touched = new HashMap<>();
    private long changes;
    private @Nullable String broken;
    private boolean retired;
    private boolean done;

    /** A master over a ledger that adds what it journals to {@code journaled}. */
    PassMaster(PassServices<P, ?> services, TaskLedger ledger, List<LedgerEvent> journaled) {
        this.services = services;
        this.ledger = ledger;
        this.journaled = journaled;
    }

    Assignment next(String worker) {
        enter();
        try {
            Assignment assignment = ledger.next(worker, services.now());
            if (assignment instanceof Assignment.Failed failed) {
                return new Assignment.Wait(failed.message());
            }
            if (assignment instanceof Assignment.Finished && !done) {
                return new Assignment.Wait("the master to finish");
            }
            return assignment;
        } finally {
            tell();
            lock.unlock();
        }
    }

    /** Waits, at most a tenth of a second, until something may have changed for a worker that got no work. */
    void awaitChange() throws InterruptedException {
        enter();
        try {
            awaitNextChange();
        } finally {
            lock.unlock();
        }
    }

    private void awaitNextChange() throws InterruptedException {
        long seen = changes;
        long left = WAIT.toNanos();
        while (changes == seen && left > 0) {
            left = changed.awaitNanos(left);
        }
    }

    /** A sign of life of the worker that holds a task; journaled at most four times in the task's timeout. */
    void touch(Task task) {
        enter();
        try {
            Instant now = services.now();
            Instant last = touched.putIfAbsent(task.id(), now);
            Duration quarter = ledger.spec().leaseTimeout().dividedBy(4);
            if (last != null && Duration.between(last, now).compareTo(quarter) > 0) {
                touched.put(task.id(), now);
                ledger.touch(task.id(), now);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A worker has finished a task; what it came to counts when the ledger accepts it, which it does once. */
    void complete(Task task, P part) {
        enter();
        try {
            touched.remove(task.id());
            if (!ledger.complete(task.id(), services.now()).accepted()) {
                return;
            }
            services.work().accept(task, part);
            outbox.add(new TrainingEvent.Progressed(progress()));
        } catch (IOException | RuntimeException unwritable) {
            failed("what " + task.range() + " came to cannot be written: " + Reason.of(unwritable));
        } finally {
            unlock();
        }
    }

    void fail(Task task, Exception cause) {
        enter();
        try {
            touched.remove(task.id());
            ledger.fail(task.id(), Reason.of(cause));
        } finally {
            unlock();
        }
    }

    /** No repetition can help. */
    void broken(String message) {
        enter();
        try {
            failed(message);
        } finally {
            unlock();
        }
    }

    private void failed(String message) {
        if (broken == null) {
            broken = message;
        }
    }

    void workerGone(String worker) {
        enter();
        try {
            if (ledger.leases().containsKey(worker)) {
                outbox.add(new TrainingEvent.TasksRecovered(worker, 1));
            }
            ledger.workerGone(worker);
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
            return ledger.finished() && broken == null;
        } finally {
            lock.unlock();
        }
    }

    /** Why the pass cannot be completed, once that is known. */
    Optional<String> failure() {
        enter();
        try {
            return broken != null ? Optional.of(broken) : ledger.failure();
        } finally {
            lock.unlock();
        }
    }

    LedgerProof proof() {
        enter();
        try {
            return ledger.proof();
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
            Map<String, Task> before = ledger.leases();
            List<Task> expired = ledger.expire(services.now());
            before.forEach((worker, task) -> {
                if (expired.contains(task)) {
                    outbox.add(new TrainingEvent.TasksRecovered(
                            worker + ", silent for " + ledger.spec().leaseTimeout(), 1));
                }
            });
            if (!ledger.finished()) {
                awaitNextChange();
            }
        } finally {
            unlock();
        }
    }

    /** The result is there: workers may leave. */
    void done() {
        enter();
        try {
            done = true;
        } finally {
            unlock();
        }
    }

    /** Serves nobody any more; what is under way is finished first. */
    void retire() {
        lock.lock();
        try {
            retired = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void enter() {
        lock.lock();
        if (retired) {
            lock.unlock();
            throw new MasterGone();
        }
    }

    private void unlock() {
        tell();
        changes++;
        changed.signalAll();
        lock.unlock();
    }

    /** Events leave in order while the lock is held; the hub only queues them. */
    private void tell() {
        for (LedgerEvent event : journaled) {
            if (event instanceof LedgerEvent.Recovered recovered) {
                touched.remove(recovered.task().id());
            }
        }
        journaled.clear();
        outbox.forEach(services.events()::emit);
        outbox.clear();
    }
}
