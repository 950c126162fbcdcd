package dev.edl.runtime.ps.rounds;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker as its shards see it: one object, shared by all shards of a group, that knows whether the worker waits.
 *
 * <p>A worker that waits for one shard's round will not push to any other shard until that round is over, so no other
 * round may be held open for it. Rounds ask {@link #waiting()} for this.
 */
public final class RoundMember {
    private final String name;
    private final AtomicInteger awaited = new AtomicInteger();
    private volatile boolean idle;

    /** Makes a worker that waits for nothing. */
    public RoundMember(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Whether the worker waits for an open round of any shard, or for a shard of another process. */
    boolean waiting() {
        return awaited.get() > 0 || idle;
    }

    /** The worker waits for a shard of another process, or no longer does. */
    public void idle(boolean waits) {
        idle = waits;
    }

    /** One more open round is awaited. */
    void enter() {
        awaited.incrementAndGet();
    }

    /** One of the awaited rounds is over; called by the thread that ends it, before the worker runs again. */
    void exit() {
        awaited.decrementAndGet();
    }

    @Override
    public String toString() {
        return name + (waiting() ? " (waiting)" : "");
    }
}
