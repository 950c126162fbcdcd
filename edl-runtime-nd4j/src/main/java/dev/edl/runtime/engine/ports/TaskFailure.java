package dev.edl.runtime.engine.ports;

import dev.edl.runtime.internal.text.ExceptionText;

/**
 * A worker's report of a failed task.
 *
 * @param kind cause, which decides whether the failure counts against the range of records or ends the training
 * @param reason cause as text for people
 */
public record TaskFailure(FailureKind kind, String reason) {
    /** Returns the failure that corresponds to an exception. */
    public static TaskFailure of(Exception cause) {
        return new TaskFailure(FailureKind.of(cause), ExceptionText.of(cause));
    }

    /** Returns text for people, for example {@code UNREADABLE: part-3: no such file}. */
    @Override
    public String toString() {
        return kind + ": " + reason;
    }
}
