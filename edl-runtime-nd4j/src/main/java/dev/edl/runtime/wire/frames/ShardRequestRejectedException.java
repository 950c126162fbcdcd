package dev.edl.runtime.wire.frames;

/** Thrown when a server responds that it cannot run a request; the connection stays open. */
final class ShardRequestRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final RuntimeException reason;

    ShardRequestRejectedException(RuntimeException reason) {
        super(reason);
        this.reason = reason;
    }

    /** Returns the exception that the shards' port throws to the worker for this response. */
    RuntimeException reason() {
        return reason;
    }
}
