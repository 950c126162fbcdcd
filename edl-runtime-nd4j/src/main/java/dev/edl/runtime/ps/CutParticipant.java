package dev.edl.runtime.ps;

import dev.edl.runtime.ps.internal.PushGate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One shard's part in a cut through all shards of a model.
 *
 * <p>A cut has four steps, each at every shard before the next one begins anywhere:
 *
 * <ol>
 *   <li>{@link #gate} stops newer pushes and returns the last sequence number taken of each worker.
 *   <li>{@link #flushTo} lets in what is on its way, up to the largest number of each worker over all shards.
 *   <li>{@link #save} copies the state.
 *   <li>{@link #go} lets everything in.
 * </ol>
 *
 * <p>A hold ends by itself after ten seconds, should the caller have died. Safe for several threads.
 */
public final class CutParticipant {
    private final ReentrantLock lock;
    private final PushGate gate;
    private final Runnable requireReady;
    private final ShardUpdates updates;
    private final ShardParameters parameters;
    private final ShardRange range;

    CutParticipant(
            ReentrantLock lock,
            PushGate gate,
            Runnable requireReady,
            ShardUpdates updates,
            ShardParameters parameters,
            ShardRange range) {
        this.lock = lock;
        this.gate = gate;
        this.requireReady = requireReady;
        this.updates = updates;
        this.parameters = parameters;
        this.range = range;
    }

    /** Room for one copy of the state, made before the shard is stopped. */
    public static final class Room {
        private final ShardSnapshot.State state;

        private Room(ShardSnapshot.State state) {
            this.state = state;
        }
    }

    /** Makes room for a copy; the shard goes on meanwhile, so that only the copy itself stops it. */
    public Room room() {
        return new Room(parameters.room());
    }

    /**
     * Stops newer pushes for a cut, in the place of an earlier cut that has not ended.
     *
     * @param cut its number, at least 0
     * @return the last sequence number taken of each worker
     * @throws ShardGoneException when the shard was detached
     * @throws IllegalStateException before the shard has values
     */
    public Map<String, Long> hold(long cut) {
        lock.lock();
        try {
            requireReady.run();
            return gate.begin(cut);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets in what is numbered up to these and waits until all of it was taken.
     *
     * @param bound the longest wait
     * @return whether all of it was taken; false also when the hold has ended
     */
    public boolean flushTo(long cut, Map<String, Long> sequences, Duration bound) throws InterruptedException {
        lock.lock();
        try {
            return gate.flushTo(cut, sequences, bound.toNanos());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Copies the state into a room.
     *
     * @throws ShardGoneException when the shard was detached
     */
    public ShardSnapshot save(Room room) {
        lock.lock();
        try {
            requireReady.run();
            ShardSnapshot saved = updates.snapshot(range, room.state);
            updates.tell(observer -> observer.saved(saved));
            return saved;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last sequence number taken of each worker. */
    public Map<String, Long> taken() {
        lock.lock();
        try {
            return gate.taken();
        } finally {
            lock.unlock();
        }
    }

    /** Counts numbers as taken that do not come: of before this shard had its seat, or of a worker that has gone. */
    public void follow(Map<String, Long> others) {
        lock.lock();
        try {
            gate.follow(others);
        } finally {
            lock.unlock();
        }
    }

    /** Lets everything in that a cut has held back; does nothing when that cut has ended. */
    public void go(long cut) {
        lock.lock();
        try {
            gate.end(cut);
        } finally {
            lock.unlock();
        }
    }

    /** Returns a copy of the state of this shard alone. */
    ShardSnapshot snapshot() {
        return save(room());
    }

    /** Returns the text for people, for example {@code cuts of ps-1[320..650)}. */
    @Override
    public String toString() {
        return "cuts of " + range;
    }
}
