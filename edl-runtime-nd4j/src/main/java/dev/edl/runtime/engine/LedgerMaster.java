package dev.edl.runtime.engine;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProof;
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
 * A task ledger behind a lock, as the workers of one JVM ask it: what every master does alike. Inside the lock no thread
 * waits for anything but a change: no parameter server, no file but the journal. Events leave in order while it is held, and
 * the hub only queues them.
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
    private final Map<Task, Duration> touched = new ConcurrentHashMap<>();

    /** What a worker holds and has not begun, by its worker. The thread that removes a task decides what becomes of it. */
    private final Map<Task, String> unbegun = new ConcurrentHashMap<>();

    private final Duration touchEvery;
    private final EventHub events;
    private final LongSupplier nanos;
    private final long began;
    private final String last;
    private long changes;
    private @Nullable String broken;
    private volatile boolean retired;
    private boolean done;

    /**
     * A master over a ledger that adds what it journals to {@code journaled}; its time begins now.
     *
     * @param nanos a time that only rises: a wall clock that jumps would end all leases at once, or none
     * @param last what workers wait for when there is no more work, for people
     */
    LedgerMaster(TaskLedger ledger, List<LedgerEvent> journaled, EventHub events, LongSupplier nanos, String last) {
        this.ledger = ledger;
        this.journaled = journaled;
        this.events = events;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.last = last;
        this.touchEvery = ledger.spec().leaseTimeout().dividedBy(4);
        ledger.renewLeases(Duration.ZERO);
    }

    final Assignment next(String worker) {
        enter();
        try {
            if (broken != null) {
                // The next worker would only fail as the last one did, until none is left and the job ends for that.
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
                touched.put(lease.task(), now());
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

    /**
     * A worker asks for the task behind the one that it holds. It can lose that one, until it begins it, to a worker that would
     * have nothing to do.
     */
    final Assignment prefetch(String worker, Task held) {
        enter();
        try {
            if (broken != null) {
                return new Assignment.Wait(broken);
            }
            Assignment assignment = ledger.prefetch(worker, held, now());
            if (assignment instanceof Assignment.Lease lease) {
                touched.put(lease.task(), now());
                unbegun.put(lease.task(), worker);
            }
            return assignment;
        } finally {
            unlockQuietly();
        }
    }

    /** A worker begins a task that it asked for ahead; returns whether it still holds it. Takes no lock. */
    final boolean startPrefetched(Task task) {
        requirePresent();
        return unbegun.remove(task) != null;
    }

    /**
     * Returns the newest is the one that its worker would begin last; inside the lock. Returns whether there was one.
     */
    private boolean recallNewest() {
        Optional<Task> newest = unbegun.keySet().stream().max(Comparator.comparingInt(Task::id));
        while (newest.isPresent() && !recall(newest.get())) {
            newest = unbegun.keySet().stream().max(Comparator.comparingInt(Task::id));
        }
        return newest.isPresent();
    }

    /** Takes back a task unless its worker begins it in this moment; inside the lock. Returns whether it was taken back. */
    private boolean recall(Task task) {
        return unbegun.remove(task) != null && ledger.recall(task);
    }

    /** Takes back what no worker has begun; inside the lock. */
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

    /** Waits, at most a tenth of a second, until something may have changed for a worker that got no work. */
    final void awaitChange() throws InterruptedException {
        enter();
        try {
            awaitChangeSince(changes);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often something has changed; inside the lock. */
    final long changes() {
        return changes;
    }

    /** Waits, at most a tenth of a second, unless something has changed since; inside the lock. */
    final void awaitChangeSince(long seen) throws InterruptedException {
        long left = WAIT.toNanos();
        while (changes == seen && left > 0) {
            left = changed.awaitNanos(left);
        }
    }

    /** A sign of life of the worker that holds a task; journaled at most four times in the task's timeout. */
    final void touch(Task task) {
        requirePresent();
        Duration now = now();
        // A lease of an earlier master was renewed when this one began.
        Duration before = touched.getOrDefault(task, Duration.ZERO);
        // Outside of the lock, because workers say this with every minibatch and the journal is written inside.
        if (now.minus(before).compareTo(touchEvery) <= 0) {
            return;
        }
        enter();
        try {
            touched.put(task, now);
            ledger.touch(task, now);
        } finally {
            lock.unlock();
        }
    }

    /** The task is reported, well or not; inside the lock. */
    final void reported(Task task) {
        touched.remove(task);
    }

    /** A worker returns a task unfinished, for no fault of the task's. */
    final void giveBack(Task task) {
        enter();
        try {
            reported(task);
            ledger.giveBack(task);
        } finally {
            unlock();
        }
    }

    /** A worker could not do a task: what that counts against is decided by the kind of the failure. */
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

    /** A worker could not do a task that it held; inside the lock. */
    abstract void failed(Task task, TaskFailure failure);

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

    /** Returns why all of it cannot be completed, once that is known. */
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

    /** Takes tasks back from workers that have been silent for too long, and returns these workers; inside the lock. */
    final List<String> expire() {
        Map<String, List<Task>> before = ledger.leases();
        // A worker that lost its task may have touched it since.
        touched.keySet().removeIf(task -> before.values().stream().noneMatch(held -> held.contains(task)));
        Set<Task> expired = Set.copyOf(ledger.expire(now()));
        List<String> silent = new ArrayList<>();
        before.forEach((worker, held) -> {
            int lost = (int) held.stream().filter(expired::contains).count();
            if (lost > 0) {
                recallFrom(worker);
                silent.add(worker);
                outbox.add(new TrainingEvent.TasksRecovered(
                        worker + ", silent for " + ledger.spec().leaseTimeout(), lost));
            }
        });
        return silent;
    }

    /** Wakes all that wait for a change. */
    final void wake() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What came of it is written: workers may leave. */
    final void done() {
        enter();
        try {
            done = true;
        } finally {
            unlock();
        }
    }

    /** Refuses a call that needs no lock, once this master has left. */
    final void requirePresent() {
        if (retired) {
            throw new MasterGoneException();
        }
    }

    /** Serves no worker any more; what is under way is finished first. */
    final void retire() {
        lock.lock();
        try {
            retired = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it serves no worker any more; inside the lock. */
    final boolean isRetired() {
        return retired;
    }

    /** Returns how long this master has been there. */
    final Duration now() {
        return Duration.ofNanos(nanos.getAsLong() - began);
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
            throw new MasterGoneException();
        }
    }

    /** Tells what happened and leaves the lock; nothing has changed for those that wait. */
    final void unlockQuietly() {
        try {
            tell();
        } finally {
            // To tell may need a new thread, which the system may refuse; a lock that stays would stop every worker.
            lock.unlock();
        }
    }

    /** Tells what happened, wakes all that wait, and leaves the lock. */
    final void unlock() {
        try {
            tell();
        } finally {
            changes++;
            changed.signalAll();
            lock.unlock();
        }
    }

    /** Takes out each event before it is told: one that cannot be told must not keep back those behind it for ever. */
    private void tell() {
        while (!journaled.isEmpty()) {
            LedgerEvent event = journaled.remove(0);
            if (event instanceof LedgerEvent.Recovered recovered) {
                touched.remove(recovered.task());
                unbegun.remove(recovered.task());
            }
            journaled(event);
        }
        while (!outbox.isEmpty()) {
            events.emit(outbox.remove(0));
        }
    }

    /** Something was journaled, which listeners may want to hear before what is in the outbox. */
    abstract void journaled(LedgerEvent event);
}
