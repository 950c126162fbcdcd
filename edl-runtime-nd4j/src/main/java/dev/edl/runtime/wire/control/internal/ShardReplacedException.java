package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.ps.ShardLife;

/** Thrown when a server reports a life of its shard although a later one has begun: another server has replaced it. */
public final class ShardReplacedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ShardReplacedException(int index, ShardLife reported, ShardLife newest) {
        super("ps-" + index + " was replaced: its " + reported + " has ended, since " + newest
                + (newest.run().equals(reported.run()) ? "" : " of another master") + " has begun");
    }

    public ShardReplacedException(int index, String run, ShardLife reported) {
        super("ps-" + index + " serves the run \"" + reported.run() + "\", and this master leads the run \"" + run
                + "\"");
    }
}
