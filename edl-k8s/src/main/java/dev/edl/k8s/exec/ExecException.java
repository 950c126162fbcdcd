package dev.edl.k8s.exec;

import org.jspecify.annotations.Nullable;

/** A command in a pod has no exit code: it did not start, or nothing can be heard of it any more. */
public final class ExecException extends RuntimeException {
    private final Reason reason;

    /** Why there is no exit code. */
    public enum Reason {
        /** The pod is not there any more, or is on its way out and its container has ended. */
        POD_GONE,
        /** The container does not run: not yet, or not any more. */
        CONTAINER_ENDED,
        /** The pod's node is not heard of; the command may run on there. */
        NODE_LOST,
        /** The command took longer than it may; it may run on. */
        LIMIT,
        /** The program is not in the container, or cannot be executed. */
        NOT_STARTED,
        /** The API server refuses, or the connection broke while the pod goes on; the command may run on. */
        CONNECTION
    }

    public ExecException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
