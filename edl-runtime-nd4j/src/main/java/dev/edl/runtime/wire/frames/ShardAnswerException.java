package dev.edl.runtime.wire.frames;

/** A server has answered that it cannot do what was asked; the connection goes on. */
final class ShardAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final RuntimeException reason;

    ShardAnswerException(RuntimeException reason) {
        super(reason);
        this.reason = reason;
    }

    /** Returns what the caller of the port gets. */
    RuntimeException reason() {
        return reason;
    }
}
