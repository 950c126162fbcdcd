package dev.edl.runtime.ps;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker as its shards see it: one object, shared by all shards of a group, that knows whether the worker waits.
 *
 * <p>A worker that waits for one shard's round will not push to any other shard until that round is over, so no other
 * round may be held open for it. Rounds ask {@link #waiting()} for this.
 */
final class Member {
    private final String name;
    private final int turn;
    private final AtomicInteger awaited = new AtomicInteger();

    /**
     * A worker that waits for nothing.
     *
     * @param turn the shard that this worker's pushes begin at, so that workers do not queue for the first one
     */
    Member(String name, int turn) {
        this.name = name;
        this.turn = turn;
    }

    String name() {
        return name;
    }

    int turn() {
        return turn;
    }

    /** Whether the worker waits for an open round of any shard. */
    boolean waiting() {
        return awaited.get() > 0;
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
