package dev.edl.exec.internal;

import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
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

/**
 * State that the thread of a control loop shares with callers: the job's state, the last observation and open requests.
 * Thread-safe. Callers request changes; only a pass changes the job's state.
 */
public final class LoopState {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<UnaryOperator<JobState>> edits = new ArrayList<>();
    private final Set<Deletion> deletions = new LinkedHashSet<>();

    /** Requested deletions that a pass has put back for a retry; they neither wake the loop nor interrupt a pass. */
    private final Set<Deletion> deferred = new LinkedHashSet<>();

    private JobState state;
    private JobObservation seen = JobObservation.nothing();
    private boolean woken;
    private boolean announced;
    private boolean finished;
    private boolean closed;

    /**
     * A requested deletion of a replica.
     *
     * @param replica the replica's full name
     * @param uid the uid of the replica's object, so that a retry does not delete a successor of the same name; empty
     *     while the object was not observed, or if the substrate has no uids
     */
    public record Deletion(String replica, Optional<String> uid) {
        public boolean tried() {
            return uid.isPresent();
        }

        /**
         * Returns a deletion with the uid that a state has for the replica; returns this one if it already has a uid.
         */
        public Deletion in(JobState state) {
            return tried()
                    ? this
                    : new Deletion(
                            replica,
                            Optional.ofNullable(state.replicas().get(replica)).flatMap(ReplicaState::uid));
        }

        /**
         * Returns {@link #in} if the replica was observed. Otherwise returns this deletion, since the state still has
         * the uid of the replica's predecessor.
         */
        Deletion ifSeenIn(JobState state) {
            ReplicaState known = state.replicas().get(replica);
            return known != null && known.everObserved() ? in(state) : this;
        }

        public Action action() {
            return new Action.DeleteReplica(replica, uid, "requested", true);
        }
    }

    /** The job's state and the last observation, at one moment. */
    public record Snapshot(JobState state, JobObservation seen) {}

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

    /** Requests a change of the job's state by the next pass. Returns false if the loop is closed: no pass follows. */
    public boolean request(UnaryOperator<JobState> edit) {
        return change(() -> edits.add(edit));
    }

    /** Requests the deletion of a replica by the next pass. Returns false if the loop is closed: no pass follows. */
    public boolean requestDeletion(String replica) {
        return change(() -> deletions.add(new Deletion(replica, Optional.empty())));
    }

    /** Puts back a deletion for the next pass, because it failed or its pause is not over; does not wake the loop. */
    public void deferDeletion(Deletion deletion) {
        lock.lock();
        try {
            deferred.add(deletion);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a requested deletion of a replica is still to be made. */
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

    /** Returns whether a caller has requested something since this pass began, or the loop is closed. */
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

    /** Changes the job's state from within a pass. */
    public void edit(UnaryOperator<JobState> edit) {
        lock.lock();
        try {
            state = edit.apply(state);
        } finally {
            lock.unlock();
        }
    }

    public void publish(JobState next, JobObservation found) {
        lock.lock();
        try {
            state = next;
            seen = found;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a pass whose events were published. If the job has ended, wakes the threads that wait for its end.
     *
     * @param nothingLeft whether no replica is terminating and no further pass is due
     */
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

    /** Waits until the time is over, a caller requests something, or the loop is closed. */
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

    /**
     * Waits until something changes, the limit is over, or the loop is closed; without a limit, for 292 years at most.
     */
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

    /**
     * Waits until the job has ended, the limit is over or the loop is closed. Returns whether the job has ended, and
     * its events were published.
     */
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
