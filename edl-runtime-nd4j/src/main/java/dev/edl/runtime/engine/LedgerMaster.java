package dev.edl.runtime;

import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProof;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A task ledger behind a lock, as the workers of one JVM ask it: what every master does alike. Nobody sleeps inside the
 * lock but for a change; events leave in order while it is held, and the hub only queues them.
 */
abstract class LedgerMaster {
    private static final Duration WAIT = Duration.ofMillis(100);

    /** Some tens of microseconds. */
    private static final int LOOKS = 1000;

    final TaskLedger ledger;
    final ReentrantLock lock = new ReentrantLock();
    final List<TrainingEvent> outbox = new ArrayList<>();
    private final Condition changed = lock.newCondition();
    private final List<LedgerEvent> journaled;
    private final Map<Integer, Instant> touched = new ConcurrentHashMap<>();
    private final Duration touchEvery;
    private final EventHub events;
    private final InstantSource clock;
    private final String last;
    private long changes;
    private @Nullable String broken;
    private volatile boolean retired;
    private boolean done;

    /**
     * A master over a ledger that adds what it journals to {@code journaled}.
     *
     * @param last what workers wait for when there is no more work, for people
     */
    LedgerMaster(TaskLedger ledger, List<LedgerEvent> journaled, EventHub events, InstantSource clock, String last) {
        this.ledger = ledger;
        this.journaled = journaled;
        this.events = events;
        this.clock = clock;
        this.last = last;
        this.touchEvery = ledger.spec().leaseTimeout().dividedBy(4);
    }

    final Assignment next(String worker) {
        enter();
        try {
            if (broken != null) {
                // The next worker would only fail as the last one did, until none is left and the job ends for that.
                return new Assignment.Wait(broken);
            }
            Assignment assignment = ledger.next(worker, now());
            if (assignment instanceof Assignment.Failed failed) {
                return new Assignment.Wait(failed.message());
            }
            // Workers never come back once they have left, so they stay until nothing can be asked of them any more.
            if (assignment instanceof Assignment.Finished && !done) {
                return new Assignment.Wait(last);
            }
            return assignment;
        } finally {
            // To wake the others would make them ask in turn, for ever.
            unlockQuietly();
        }
    }

    /** Waits, at most a tenth of a second, until something may have changed for a worker that got no work. */
    final void awaitChange() throws InterruptedException {
        enter();
        try {
            awaitNextChange();
        } finally {
            lock.unlock();
        }
    }

    final void awaitNextChange() throws InterruptedException {
        long seen = changes;
        long left = WAIT.toNanos();
        while (changes == seen && left > 0) {
            left = changed.awaitNanos(left);
        }
    }

    /** A sign of life of the worker that holds a task; journaled at most four times in the task's timeout. */
    final void touch(Task task) {
        if (retired) {
            throw new MasterGone();
        }
        Instant now = now();
        Instant before = touched.putIfAbsent(task.id(), now);
        // Outside of the lock, because workers say this with every minibatch and the journal is written inside.
        if (before == null || Duration.between(before, now).compareTo(touchEvery) <= 0) {
            return;
        }
        enter();
        try {
            touched.put(task.id(), now);
            ledger.touch(task.id(), now);
        } finally {
            lock.unlock();
        }
    }

    /** The task is reported, well or not; inside the lock. */
    final void reported(Task task) {
        touched.remove(task.id());
    }

    final void fail(Task task, Exception cause) {
        enter();
        try {
            reported(task);
            if (ledger.fail(task.id(), Reason.of(cause))) {
                failed(task, cause);
            }
        } finally {
            unlock();
        }
    }

    /** A worker could not do a task that it held; inside the lock. */
    abstract void failed(Task task, Exception cause);

    /** No repetition can help. */
    final void broken(String message) {
        enter();
        try {
            breakDown(message);
        } finally {
            unlock();
        }
    }

    /** No repetition can help; inside the lock. The first reason stays. */
    final void breakDown(String message) {
        if (broken == null) {
            broken = message;
        }
    }

    final boolean isBroken() {
        return broken != null;
    }

    final void workerGone(String worker) {
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

    /** Why all of it cannot be completed, once that is known. */
    final Optional<String> failure() {
        enter();
        try {
            return broken != null ? Optional.of(broken) : ledger.failure();
        } finally {
            lock.unlock();
        }
    }

    final LedgerProof proof() {
        enter();
        try {
            return ledger.proof();
        } finally {
            lock.unlock();
        }
    }

    /** Takes tasks back from workers that have been silent for too long; inside the lock. */
    final void expire() {
        Map<String, Task> before = ledger.leases();
        List<Task> expired = ledger.expire(now());
        before.forEach((worker, task) -> {
            if (expired.contains(task)) {
                silent(worker);
                outbox.add(new TrainingEvent.TasksRecovered(
                        worker + ", silent for " + ledger.spec().leaseTimeout(), 1));
            }
        });
    }

    /** Nobody waits any more for a worker that has been silent for too long. */
    abstract void silent(String worker);

    /** What came of it is written: workers may leave. */
    final void done() {
        enter();
        try {
            done = true;
        } finally {
            unlock();
        }
    }

    /** Serves nobody any more; what is under way is finished first. */
    final void retire() {
        lock.lock();
        try {
            retired = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether it serves nobody any more; inside the lock. */
    final boolean isRetired() {
        return retired;
    }

    final Instant now() {
        return clock.instant();
    }

    final void enter() {
        // Workers in rounds end their tasks together, and to be woken takes longer than what is done in here.
        for (int look = 0; look < LOOKS && !lock.tryLock(); look++) {
            Thread.onSpinWait();
        }
        if (!lock.isHeldByCurrentThread()) {
            lock.lock();
        }
        if (retired) {
            lock.unlock();
            throw new MasterGone();
        }
    }

    /** Tells what happened and leaves the lock; nothing has changed for whoever waits. */
    final void unlockQuietly() {
        tell();
        lock.unlock();
    }

    /** Tells what happened, wakes everybody, and leaves the lock. */
    final void unlock() {
        tell();
        changes++;
        changed.signalAll();
        lock.unlock();
    }

    private void tell() {
        for (LedgerEvent event : journaled) {
            if (event instanceof LedgerEvent.Recovered recovered) {
                touched.remove(recovered.task().id());
            }
            journaled(event);
        }
        journaled.clear();
        outbox.forEach(events::emit);
        outbox.clear();
    }

    /** Something was journaled, which listeners may want to hear before what is in the outbox. */
    abstract void journaled(LedgerEvent event);
}
