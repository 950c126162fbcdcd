package dev.edl.runtime.engine.internal;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the lives of the parameter shards. A life begins when a server puts a shard into its slot, from a saved state
 * or the initial values. Thread-safe.
 */
public final class ShardLifeCounter {
    private final AtomicLong changes = new AtomicLong();
    private final AtomicIntegerArray begun;

    /**
     * Creates the counters of a run's shards.
     *
     * @param continued whether an earlier process has counted some, so that each life may have lost pushes
     */
    public ShardLifeCounter(int shards, boolean continued) {
        this.begun = new AtomicIntegerArray(shards);
        for (int i = 0; continued && i < shards; i++) {
            begun.set(i, 1);
        }
    }

    /** Counts a life that begins, before its shard is in its slot. */
    public void begins() {
        // Incremented before and after, so that a state read before is never taken for the shards' current state.
        changes.incrementAndGet();
    }

    /** Counts a life whose shard is in its slot. */
    public void begun(int index) {
        changes.incrementAndGet();
        begun.incrementAndGet(index);
    }

    /** Returns a number that increases whenever a shard begins a new life, both before and after it is in its slot. */
    public long changes() {
        return changes.get();
    }

    /** Returns the number of a shard's life, at most that of the shard in the slot; 0 before the first. */
    public int of(int index) {
        return begun.get(index);
    }
}
