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

/** What a loop's thread shares with those who ask. Thread-safe; only the pass changes the job's state. */
public final class LoopState {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<UnaryOperator<JobState>> edits = new ArrayList<>();
    private final Set<Deletion> deletions = new LinkedHashSet<>();

    /** Deletions that failed, of which a pass knows already: nothing has to be left for them. */
    private final Set<Deletion> deferred = new LinkedHashSet<>();

    private JobState state;
    private Observed seen = Observed.nothing();
    private boolean woken;
    private boolean announced;
    private boolean finished;
    private boolean closed;

    /**
     * A replica whose deletion was asked for.
     *
     * @param uid of the only object to be deleted, known once the deletion was tried: a successor has the same name
     */
    public record Deletion(String replica, Optional<String> uid) {
        public boolean tried() {
            return uid.isPresent();
        }

        /** Returns the deletion of the object that a state knows by the name, unless it is known already which. */
        public Deletion in(JobState state) {
            return tried()
                    ? this
                    : new Deletion(
                            replica,
                            Optional.ofNullable(state.replicas().get(replica)).flatMap(ReplicaState::uid));
        }

        /** Returns the same for the object that a state has seen; a replica that was not seen has its predecessor's uid. */
        Deletion ifSeenIn(JobState state) {
            ReplicaState known = state.replicas().get(replica);
            return known != null && known.everObserved() ? in(state) : this;
        }

        public Action action() {
            return new Action.DeleteReplica(replica, uid, "requested", true);
        }
    }

    /** One moment of a job. */
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

    /** Asks for a change of the state; the next pass makes it. Not when closed, as there is none: whether it was taken. */
    public boolean request(UnaryOperator<JobState> edit) {
        return change(() -> edits.add(edit));
    }

    /** Asks for the deletion of a replica; the next pass makes it. Not when closed: whether it was taken. */
    public boolean requestDeletion(String replica) {
        return change(() -> deletions.add(new Deletion(replica, Optional.empty())));
    }

    /** Puts back a deletion that failed, for the next pass, whenever that is due. */
    public void deferDeletion(Deletion deletion) {
        lock.lock();
        try {
            deferred.add(deletion);
        } finally {
            lock.unlock();
        }
    }

    /** Whether the deletion of a replica is still to be made. */
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

    /** Whether the caller has requested something since this pass began, or the loop is closed. */
    public boolean asked() {
        lock.lock();
        try {
            return closed || !edits.isEmpty() || !deletions.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Begins a pass: makes the changes that were asked for, and hands over the deletions. */
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

    /** A change that the pass itself makes. */
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

    /** Ends a pass: wakes threads that wait for the job's end, after the listeners were notified. */
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

    /** Whether this call closed it. */
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

    /** Waits until the time is over, a request comes in, or the loop is closed. */
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

    /** Waits for the end of the job; whether it came in time. */
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
