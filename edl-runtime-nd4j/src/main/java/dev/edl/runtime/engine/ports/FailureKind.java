package dev.edl.runtime.engine.ports;

import dev.edl.runtime.model.ModelException;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ShardsClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Cause of a failed task. It decides whether the failure counts against the range of records, ends the training, or
 * neither.
 */
public enum FailureKind {
    /** The records cannot be read. Counts against the range of records; another worker may be able to read them. */
    UNREADABLE,
    /**
     * The records, or the code that processes them, are at fault. Counts against the range of records; another worker
     * retries.
     */
    DATA,
    /** The model broke its contract. The training ends, because every retry would fail. */
    MODEL,
    /** A parameter server or the master is absent. No failure is counted. */
    ENVIRONMENT;

    /** Returns the kind of failure that an exception means. */
    public static FailureKind of(Exception failure) {
        if (failure instanceof ModelException) {
            return MODEL;
        }
        if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            return UNREADABLE;
        }
        return failure instanceof ShardTimeoutException
                        || failure instanceof ShardsClosedException
                        || failure instanceof ShardGoneException
                        || failure instanceof TryAgainException
                ? ENVIRONMENT
                : DATA;
    }
}
