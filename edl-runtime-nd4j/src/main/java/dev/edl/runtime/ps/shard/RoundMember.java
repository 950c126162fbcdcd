package dev.edl.runtime.ps.shard;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker as a member of rounds: one object, shared by all shards of a group, that records whether the worker waits.
 *
 * <p>A worker that waits for one shard's round pushes to no other shard until that round has ended, so no other round
 * may wait for it. Rounds query {@link #waiting()} for this.
 */
public final class RoundMember {
    private final String name;
    private final AtomicInteger awaited = new AtomicInteger();
    private volatile boolean idle;

    /** Creates a member that waits for no round. */
    public RoundMember(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Returns whether the worker waits for an open round of any shard, or for a shard of another process. */
    boolean waiting() {
        return awaited.get() > 0 || idle;
    }

    /** Sets whether the worker waits for a shard of another process. */
    public void idle(boolean waits) {
        idle = waits;
    }

    /** Records that the worker waits for one more round. */
    void enter() {
        awaited.incrementAndGet();
    }

    /**
     * Records that the worker waits for one round less. The thread that ends the round calls it, before the worker runs
     * again.
     */
    void exit() {
        awaited.decrementAndGet();
    }

    @Override
    public String toString() {
        return name + (waiting() ? " (waiting)" : "");
    }
}
