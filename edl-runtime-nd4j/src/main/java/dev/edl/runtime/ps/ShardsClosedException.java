package dev.edl.runtime.ps;

/** Thrown once the run has ended, because no parameter shard will be attached again. */
public final class ShardsClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public ShardsClosedException() {
        super("the parameter shards are closed");
    }
}
