package dev.edl.k8s.exec;

import org.jspecify.annotations.Nullable;

/** Thrown when a command in a pod has no exit code: it did not start, or its connection was lost. */
public final class ExecException extends RuntimeException {
    private final Reason reason;

    /** Reason why a command has no exit code. */
    public enum Reason {
        /** The pod is deleted, or is terminating and its container has ended. */
        POD_GONE,
        /** The container has not started yet, or has ended. */
        CONTAINER_ENDED,
        /** The pod's node is unreachable; the command may run on. */
        NODE_LOST,
        /** The command took longer than its limit; it may run on. */
        LIMIT,
        /** The program is not in the container, or is not executable. */
        NOT_STARTED,
        /** The API server refused, or the connection broke although the pod runs; the command may run on. */
        CONNECTION
    }

    public ExecException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns the reason. */
    public Reason reason() {
        return reason;
    }
}
