package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ModelException;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.internal.ShardsClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Why a worker could not do a task, which decides what the failure counts against. */
public enum FailureKind {
    /** The records cannot be read: counts against the range of records. Another worker may be able to read them. */
    UNREADABLE,
    /** The records, or the code that works on them: counts against the range of records. Another worker tries. */
    DATA,
    /** The model broke its contract: the training ends, because every repetition would fail. */
    MODEL,
    /** A parameter server or the master is away: counts against nothing. */
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
