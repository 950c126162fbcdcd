package dev.edl.runtime.ps;

/** A bounded wait on a parameter shard was over; the message names the shard, what was awaited and the bound. */
public final class ShardTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ShardTimeoutException(String message) {
        super(message);
    }
}
