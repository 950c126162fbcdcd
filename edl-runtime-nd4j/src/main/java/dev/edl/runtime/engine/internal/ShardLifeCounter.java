package dev.edl.runtime.engine.internal;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the lives of the parameter shards. A life begins when a server puts a shard into its place, from a saved state or
 * the initial values. Thread-safe.
 */
public final class ShardLifeCounter {
    private final AtomicLong changes = new AtomicLong();
    private final AtomicIntegerArray begun;

    /**
     * Counts the lives of a run's shards.
     *
     * @param continued whether an earlier process has counted some, so that each life may have lost something
     */
    public ShardLifeCounter(int shards, boolean continued) {
        this.begun = new AtomicIntegerArray(shards);
        for (int i = 0; continued && i < shards; i++) {
            begun.set(i, 1);
        }
    }

    /** Counts a life that begins, before its shard takes its place. */
    public void begins() {
        // Before and behind: what was read before must never pass for something of the shards as they are now.
        changes.incrementAndGet();
    }

    /** Counts a life whose shard has taken its place. */
    public void begun(int index) {
        changes.incrementAndGet();
        begun.incrementAndGet(index);
    }

    /** Returns a number that rises whenever a shard begins anew, both before and after it takes its place. */
    public long changes() {
        return changes.get();
    }

    /** Returns the number of a shard's life, at most the one of the shard that is in its place; 0 before the first. */
    public int of(int index) {
        return begun.get(index);
    }
}
