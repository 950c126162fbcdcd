package dev.edl.runtime.engine;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Task ledger behind a lock, for the workers of one JVM; base of all masters. A thread that holds the lock waits only
 * for changes, never for a parameter server or a file. Events are queued in order under the lock.
 */
abstract class LedgerMaster {
    private static final Duration WAIT = Duration.ofMillis(100);

    /** Maximum number of attempts to take the lock before the thread blocks: some tens of microseconds. */
    private static final int LOOKS = 1000;

    final TaskLedger ledger;
    final ReentrantLock lock = new ReentrantLock();
    final List<TrainingEvent> outbox = new ArrayList<>();
    private final Condition changed = lock.newCondition();
    private final List<LedgerEvent> seen;
    /** Time of the last renewal of each task's lease, in nanoseconds since this master was created. */
    private final Map<Task, Long> touched = new ConcurrentHashMap<>();

    /**
     * Worker of each prefetched task that it has not begun. The thread that removes a task decides whether the task is
     * begun or recalled.
     */
    private final Map<Task, String> unbegun = new ConcurrentHashMap<>();

    private final long touchEvery;
    private final EventHub events;
    private final LongSupplier nanos;
    private final long began;
    private final String last;
    private long changes;
    private @Nullable String broken;
    private volatile boolean retired;
    private boolean done;

    /**
     * Creates a master over a ledger that adds its events to {@code seen}; the master's time starts now.
     *
     * @param nanos monotonic time; a wall clock that jumps would expire all leases at once, or none
     * @param last text for people: the reason why workers wait once there is no more work
     */
    LedgerMaster(TaskLedger ledger, List<LedgerEvent> seen, EventHub events, LongSupplier nanos, String last) {
        this.ledger = ledger;
        this.seen = seen;
        this.events = events;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.last = last;
        this.touchEvery = ledger.spec().leaseTimeout().dividedBy(4).toNanos();
        ledger.renewLeases(Duration.ZERO);
    }

    final Assignment next(String worker) {
        enter();
        try {
            if (broken != null) {
                // The next worker would fail like the last one, until none is left and the job fails.
                return new Assignment.Wait(broken);
            }
            Assignment assignment = ledger.next(worker, now());
            while (assignment instanceof Assignment.Wait && recallNewest()) {
                assignment = ledger.next(worker, now());
            }
            if (assignment instanceof Assignment.Failed failed) {
                return new Assignment.Wait(failed.message());
            }
            if (assignment instanceof Assignment.Lease lease) {
                touched.put(lease.task(), elapsed());
            }
            // Workers that leave never return, so they stay until no more work can arise.
            if (assignment instanceof Assignment.Finished && !done) {
                return new Assignment.Wait(last);
            }
            return assignment;
        } finally {
            // Waking the others would make them request work in turn, forever.
            unlockQuietly();
        }
    }

    /**
     * Leases a second task to a worker, which still works on {@code held}. Until the worker begins the second task, an
     * idle worker may get it instead.
     */
    final Assignment prefetch(String worker, Task held) {
        enter();
        try {
            if (broken != null) {
                return new Assignment.Wait(broken);
            }
            Assignment assignment = ledger.prefetch(worker, held, now());
            if (assignment instanceof Assignment.Lease lease) {
                touched.put(lease.task(), elapsed());
                unbegun.put(lease.task(), worker);
            }
            return assignment;
        } finally {
            unlockQuietly();
        }
    }

    /** Begins a prefetched task; returns whether the worker still holds it. Takes no lock. */
    final boolean startPrefetched(Task task) {
        requirePresent();
        return unbegun.remove(task) != null;
    }

    /**
     * Recalls the prefetched task with the newest lease, which would be begun last; inside the lock. Returns false if
     * none could be recalled.
     */
    private boolean recallNewest() {
        Optional<Task> newest = unbegun.keySet().stream().max(Comparator.comparingInt(Task::id));
        while (newest.isPresent() && !recall(newest.get())) {
            newest = unbegun.keySet().stream().max(Comparator.comparingInt(Task::id));
        }
        return newest.isPresent();
    }

    /** Recalls a prefetched task; inside the lock. Returns false if its worker began it concurrently. */
    private boolean recall(Task task) {
        return unbegun.remove(task) != null && ledger.recall(task);
    }

    /** Recalls all prefetched tasks that their workers have not begun; inside the lock. */
    final void recallAll() {
        unbegun.keySet().forEach(this::recall);
    }

    private void recallFrom(String worker) {
        unbegun.forEach((task, holder) -> {
            if (holder.equals(worker)) {
                recall(task);
            }
        });
    }

    /** Waits until there may be work for a worker that got none, at most a tenth of a second. */
    final void awaitChange() throws InterruptedException {
        enter();
        try {
            awaitChangeSince(changes);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of changes of this master so far, for {@link #awaitChangeSince}; inside the lock. */
    final long changes() {
        return changes;
    }

    /** Waits until {@link #changes()} differs from {@code seen}, at most a tenth of a second; inside the lock. */
    final void awaitChangeSince(long seen) throws InterruptedException {
        long left = WAIT.toNanos();
        while (changes == seen && left > 0) {
            left = changed.awaitNanos(left);
        }
    }

    /**
     * Renews the leases of the worker that holds a task. Only about every quarter of the task timeout, does so in the
     * ledger; other calls have no effect.
     */
    final void touch(Task task) {
        requirePresent();
        long now = elapsed();
        // A lease of an earlier master was renewed when this master began.
        long before = touched.getOrDefault(task, 0L);
        // Outside of the lock, because workers call this per minibatch.
        if (now - before <= touchEvery) {
            return;
        }
        enter();
        try {
            touched.put(task, now);
            ledger.touch(task, Duration.ofNanos(now));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets when the lease of a task was renewed, because the task was reported as done or failed; inside the lock.
     */
    final void reported(Task task) {
        touched.remove(task);
    }

    /** Returns a worker's task unfinished, without counting a failure. */
    final void giveBack(Task task) {
        enter();
        try {
            reported(task);
            ledger.giveBack(task);
        } finally {
            unlock();
        }
    }

    /**
     * Reports a task that a worker failed; the {@code FailureKind} decides whether the failure counts against the task.
     */
    final void report(Task task, TaskFailure failure) {
        switch (failure.kind()) {
            case MODEL -> broken(failure.reason());
            case ENVIRONMENT -> giveBack(task);
            case DATA, UNREADABLE -> fail(task, failure);
        }
    }

    private void fail(Task task, TaskFailure failure) {
        enter();
        try {
            reported(task);
            if (ledger.fail(task, failure.reason())) {
                failed(task, failure);
            }
        } finally {
            unlock();
        }
    }

    /** Handles the failure of a task that its worker held; inside the lock. */
    abstract void failed(Task task, TaskFailure failure);

    /** Fails the job for a reason that no retry can repair. */
    final void broken(String message) {
        enter();
        try {
            breakDown(message);
        } finally {
            unlock();
        }
    }

    /** Fails the job for a reason that no retry can repair; inside the lock. The first reason is kept. */
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
            recallFrom(worker);
            int held = ledger.leases().getOrDefault(worker, List.of()).size();
            if (held > 0) {
                outbox.add(new TrainingEvent.TasksRecovered(worker, held));
            }
            ledger.workerGone(worker);
        } finally {
            unlock();
        }
    }

    /** Returns the names of the workers that hold tasks. */
    final Set<String> holders() {
        enter();
        try {
            return Set.copyOf(ledger.leases().keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the reason why the job cannot be completed, if any. */
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

    /** Renews all leases, because no worker can complete a task now; inside the lock. Returns no silent worker. */
    final List<String> renewLeases() {
        ledger.renewLeases(now());
        return List.of();
    }

    /** Takes back the tasks whose lease has expired, and returns the workers that held them; inside the lock. */
    final List<String> expire() {
        Map<String, List<Task>> before = ledger.leases();
        // A worker may have touched its task after losing it.
        touched.keySet().removeIf(task -> before.values().stream().noneMatch(held -> held.contains(task)));
        Set<Task> expired = Set.copyOf(ledger.expire(now()));
        List<String> silent = new ArrayList<>();
        before.forEach((worker, held) -> {
            int lost = (int) held.stream().filter(expired::contains).count();
            if (lost > 0) {
                recallFrom(worker);
                silent.add(worker);
                outbox.add(new TrainingEvent.TasksRecovered(
                        worker + ", silent for " + DurationText.of(ledger.spec().leaseTimeout()), lost));
            }
        });
        return silent;
    }

    /** Wakes all threads that wait for a change. */
    final void wake() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Marks the job as done: its result is written and workers may leave. */
    final void done() {
        enter();
        try {
            done = true;
        } finally {
            unlock();
        }
    }

    /** Throws a {@link MasterGoneException} if this master has stopped serving workers; for calls without the lock. */
    final void requirePresent() {
        if (retired) {
            throw new MasterGoneException();
        }
    }

    /** Stops serving workers; calls in progress complete first. */
    final void retire() {
        lock.lock();
        try {
            retired = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the master has stopped serving workers; inside the lock. */
    final boolean isRetired() {
        return retired;
    }

    /** Returns the time since this master was created. */
    final Duration now() {
        return Duration.ofNanos(elapsed());
    }

    private long elapsed() {
        return nanos.getAsLong() - began;
    }

    final void enter() {
        // Workers in rounds end their tasks together, and waking a thread takes longer than the work under the lock.
        for (int look = 0; look < LOOKS && !lock.tryLock(); look++) {
            Thread.onSpinWait();
        }
        if (!lock.isHeldByCurrentThread()) {
            lock.lock();
        }
        if (retired) {
            lock.unlock();
            throw new MasterGoneException();
        }
    }

    /** Emits the queued events and releases the lock, without waking waiting threads. */
    final void unlockQuietly() {
        try {
            tell();
        } finally {
            // Emitting may need a new thread, which the system may refuse; a lock left held would block every worker.
            lock.unlock();
        }
    }

    /** Emits the queued events, wakes all waiting threads, and releases the lock. */
    final void unlock() {
        try {
            tell();
        } finally {
            changes++;
            changed.signalAll();
            lock.unlock();
        }
    }

    /**
     * Emits the queued events. Removes each one first, so that an event that fails does not block the later ones
     * forever.
     */
    private void tell() {
        while (!seen.isEmpty()) {
            LedgerEvent event = seen.remove(0);
            if (event instanceof LedgerEvent.Recovered recovered) {
                touched.remove(recovered.task());
                unbegun.remove(recovered.task());
            }
            happened(event);
        }
        while (!outbox.isEmpty()) {
            events.emit(outbox.remove(0));
        }
    }

    /**
     * Called for each event of the ledger, so that a subclass can emit training events before those in
     * {@link #outbox}.
     */
    abstract void happened(LedgerEvent event);
}
