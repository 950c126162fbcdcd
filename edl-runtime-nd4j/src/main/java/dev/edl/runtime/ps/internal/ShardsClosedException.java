package dev.edl.runtime.ps.internal;

/** The run has ended: no parameter shard comes back. */
public final class ShardsClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Makes the exception. */
    public ShardsClosedException() {
        super("the parameter shards are closed");
    }
}
