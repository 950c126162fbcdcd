package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ModelException;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.internal.ShardsClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Cause of a failed task, which decides what the failure counts against. */
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
    /** A parameter server or the master is absent. Counts against nothing. */
    ENVIRONMENT;

    /** Returns the kind of a failure. */
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
