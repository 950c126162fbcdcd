package dev.edl.runtime.ps.shard;

import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One shard's part in a cut, which is a consistent snapshot of all shards of a model.
 *
 * <p>A cut has three steps. Each completes on every shard before the next one starts on any:
 * <ol>
 *   <li>{@link #hold} blocks newer pushes and returns the last admitted sequence number of each worker.
 *   <li>{@link #flushTo} admits pushes in flight, up to the largest number of each worker over all shards.
 *   <li>{@link #save} copies the state, and admits all pushes again.
 * </ol>
 *
 * <p>Each shard blocks newer pushes from before the flush until its own copy. If one shard admits a push after its
 * copy, every shard without a copy still blocks that push. So the push is in no copy. If a cut fails, {@link #go} ends
 * the remaining holds.
 *
 * <p>A hold expires after ten seconds, in case the caller has died. Safe for several threads.
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

    /** Memory for one copy of the shard's state, allocated before the shard blocks pushes. */
    public static final class SnapshotBuffer {
        private final ShardSnapshot.State state;

        private SnapshotBuffer(ShardSnapshot.State state) {
            this.state = state;
        }
    }

    /**
     * Allocates memory for a copy of the shard's state while the shard still accepts pushes, so that only the copy
     * itself blocks it.
     */
    public SnapshotBuffer allocateSnapshotBuffer() {
        return new SnapshotBuffer(parameters.allocateSnapshotBuffer());
    }

    /**
     * Blocks newer pushes for a cut. Replaces an earlier cut that has not ended.
     *
     * @param cut number of the cut, at least 0
     * @return the last admitted sequence number of each worker
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
     * Admits pushes up to these sequence numbers and waits until all of them were admitted.
     *
     * @param bound the longest wait
     * @return whether all of them were admitted; false also when the hold has ended
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
     * Copies the shard's state into memory that {@link #allocateSnapshotBuffer} allocated, and then admits every push that the cut has
     * blocked, also if the copy fails.
     *
     * @throws ShardGoneException when the shard was detached
     */
    public ShardSnapshot save(long cut, SnapshotBuffer buffer) {
        lock.lock();
        try {
            return copy(buffer);
        } finally {
            gate.end(cut);
            lock.unlock();
        }
    }

    private ShardSnapshot copy(SnapshotBuffer buffer) {
        requireReady.run();
        ShardSnapshot saved = updates.snapshot(range, buffer.state);
        updates.tell(observer -> observer.saved(saved));
        return saved;
    }

    /** Returns the last admitted push sequence number of each worker. */
    public Map<String, Long> taken() {
        lock.lock();
        try {
            return gate.taken();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks pushes that will never arrive as admitted, up to each worker's given sequence number. They predate this
     * shard's attachment, or belong to a worker that has left.
     */
    public void follow(Map<String, Long> others) {
        lock.lock();
        try {
            gate.follow(others);
        } finally {
            lock.unlock();
        }
    }

    /** Admits every push that a cut has blocked. Does nothing if that cut has ended. */
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
        SnapshotBuffer buffer = allocateSnapshotBuffer();
        lock.lock();
        try {
            return copy(buffer);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the text for people, for example {@code cuts of ps-1[320..650)}. */
    @Override
    public String toString() {
        return "cuts of " + range;
    }
}
