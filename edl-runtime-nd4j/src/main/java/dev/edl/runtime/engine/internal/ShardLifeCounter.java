package dev.edl.runtime.engine.internal;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the lives of the parameter shards. A shard's life begins when a server puts the shard, with a saved state or
 * the initial values, into its slot. Thread-safe.
 */
public final class ShardLifeCounter {
    private final AtomicLong changes = new AtomicLong();
    private final AtomicIntegerArray begun;

    /**
     * Creates the counters of a run's shards.
     *
     * @param continued whether lives began under an earlier process. If so, each shard counts as in life 1 already, and
     *     may have lost pushes
     */
    public ShardLifeCounter(int shards, boolean continued) {
        this.begun = new AtomicIntegerArray(shards);
        for (int i = 0; continued && i < shards; i++) {
            begun.set(i, 1);
        }
    }

    /** Increases {@link #changes()} for a life that is about to begin, before the shard is in its slot. */
    public void begins() {
        // Incremented before and after, so that a state read before is never taken for the shards' current state.
        changes.incrementAndGet();
    }

    /** Counts a life of a shard, once the shard is in its slot; also increases {@link #changes()}. */
    public void begun(int index) {
        changes.incrementAndGet();
        begun.incrementAndGet(index);
    }

    /** Returns a number that increases whenever a shard begins a new life, both before and after it is in its slot. */
    public long changes() {
        return changes.get();
    }

    /** Returns the number of lives that a shard has begun; 0 before the first. May lag behind the shard in the slot. */
    public int of(int index) {
        return begun.get(index);
    }
}
