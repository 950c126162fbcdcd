package dev.edl.exec.internal;

import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Observed;
import dev.edl.reconcile.ReplicaState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** State that a loop's thread shares with its callers. Thread-safe; only the pass changes the job's state. */
public final class LoopState {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<UnaryOperator<JobState>> edits = new ArrayList<>();
    private final Set<Deletion> deletions = new LinkedHashSet<>();

    /** Failed deletions that the pass has put back; they do not interrupt a pass. */
    private final Set<Deletion> deferred = new LinkedHashSet<>();

    private JobState state;
    private Observed seen = Observed.nothing();
    private boolean woken;
    private boolean announced;
    private boolean finished;
    private boolean closed;

    /**
     * A requested deletion of a replica.
     *
     * @param uid the uid of the only object to delete, set once the deletion was tried, since a successor has the same
     *     name
     */
    public record Deletion(String replica, Optional<String> uid) {
        public boolean tried() {
            return uid.isPresent();
        }

        /** Returns the deletion of the object that a state has under the name, unless the uid is already set. */
        public Deletion in(JobState state) {
            return tried()
                    ? this
                    : new Deletion(
                            replica,
                            Optional.ofNullable(state.replicas().get(replica)).flatMap(ReplicaState::uid));
        }

        /**
         * Returns the deletion with the uid of the observed object. An unobserved replica still has its predecessor's
         * uid.
         */
        Deletion ifSeenIn(JobState state) {
            ReplicaState known = state.replicas().get(replica);
            return known != null && known.everObserved() ? in(state) : this;
        }

        public Action action() {
            return new Action.DeleteReplica(replica, uid, "requested", true);
        }
    }

    /** State and observation at one moment. */
    public record Snapshot(JobState state, Observed seen) {}

    public LoopState(JobState from) {
        this.state = from;
    }

    public Snapshot snapshot() {
        lock.lock();
        try {
            return new Snapshot(state, seen);
        } finally {
            lock.unlock();
        }
    }

    /** Requests a change of the state by the next pass. Returns false if the loop is closed, since no pass follows. */
    public boolean request(UnaryOperator<JobState> edit) {
        return change(() -> edits.add(edit));
    }

    /** Requests the deletion of a replica by the next pass. Returns false if the loop is closed. */
    public boolean requestDeletion(String replica) {
        return change(() -> deletions.add(new Deletion(replica, Optional.empty())));
    }

    /** Puts back a failed deletion for the next pass, without waking the loop. */
    public void deferDeletion(Deletion deletion) {
        lock.lock();
        try {
            deferred.add(deletion);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the deletion of a replica is still pending. */
    public boolean deletes(String replica) {
        lock.lock();
        try {
            return Stream.concat(deletions.stream(), deferred.stream())
                    .anyMatch(deletion -> deletion.replica().equals(replica));
        } finally {
            lock.unlock();
        }
    }

    public void wake() {
        change(() -> {});
    }

    private boolean change(Runnable what) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            what.run();
            woken = true;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the caller has requested something since this pass began, or the loop is closed. */
    public boolean asked() {
        lock.lock();
        try {
            return closed || !edits.isEmpty() || !deletions.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Starts a pass: applies the requested changes and returns the requested deletions. */
    public List<Deletion> begin() {
        lock.lock();
        try {
            woken = false;
            edits.forEach(edit -> state = edit.apply(state));
            edits.clear();
            Set<Deletion> taken = new LinkedHashSet<>(deferred);
            deletions.forEach(deletion -> taken.add(deletion.ifSeenIn(state)));
            deferred.clear();
            deletions.clear();
            return List.copyOf(taken);
        } finally {
            lock.unlock();
        }
    }

    /** Changes the state from within a pass. */
    public void edit(UnaryOperator<JobState> edit) {
        lock.lock();
        try {
            state = edit.apply(state);
        } finally {
            lock.unlock();
        }
    }

    public void publish(JobState next, Observed found) {
        lock.lock();
        try {
            state = next;
            seen = found;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a pass: wakes threads that wait for the job's end, after the listeners were called. */
    public void end(boolean nothingLeft) {
        lock.lock();
        try {
            announced = state.phase().ended();
            finished = announced && nothingLeft && deletions.isEmpty() && deferred.isEmpty();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public boolean finished() {
        lock.lock();
        try {
            return finished;
        } finally {
            lock.unlock();
        }
    }

    public boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the loop. Returns whether this call closed it. */
    public boolean close() {
        lock.lock();
        try {
            boolean first = !closed;
            closed = true;
            changed.signalAll();
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the time is over, a request arrives, or the loop is closed. */
    public void rest(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(time);
            while (!asked() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something changes, the time is over (292 years at most), or the loop is closed. */
    public void awaitWake(Optional<Duration> limit) throws InterruptedException {
        lock.lock();
        try {
            long left = limit.map(wait -> TimeUnit.NANOSECONDS.convert(wait)).orElse(Long.MAX_VALUE);
            while (!woken && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end of the job. Returns whether it ended within the limit. */
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(limit);
            while (!announced && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return announced;
        } finally {
            lock.unlock();
        }
    }
}
