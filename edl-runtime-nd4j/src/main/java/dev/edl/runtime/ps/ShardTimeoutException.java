package dev.edl.runtime.ps;

/**
 * Thrown when a bounded wait for a parameter shard expires. The message names the shard, the awaited event and the
 * bound.
 */
public final class ShardTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ShardTimeoutException(String message) {
        super(message);
    }
}
