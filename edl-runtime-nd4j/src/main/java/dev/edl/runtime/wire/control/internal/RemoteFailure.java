package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.StaleTermException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Failure of a request, as sent over the wire.
 *
 * @param type determines which exception the caller gets
 * @param message message of that exception
 * @param followed the number of the term that the refusing shard follows; 0 for any other failure
 */
public record RemoteFailure(Type type, String message, long followed) {
    /** Exceptions that keep their type between processes. */
    public enum Type {
        MASTER_GONE,
        SHARD_TIMEOUT,
        SHARD_GONE,
        STALE_TERM,
        REPLACED,
        ARGUMENT,
        STATE,
        IO
    }

    public static RemoteFailure of(Throwable cause) {
        return new RemoteFailure(
                typeOf(cause),
                ExceptionText.of(cause),
                cause instanceof StaleTermException stale ? stale.followed() : 0);
    }

    private static Type typeOf(Throwable cause) {
        if (cause instanceof MasterGoneException) {
            return Type.MASTER_GONE;
        }
        if (cause instanceof ShardTimeoutException) {
            return Type.SHARD_TIMEOUT;
        }
        if (cause instanceof ShardGoneException) {
            return Type.SHARD_GONE;
        }
        if (cause instanceof ShardReplacedException) {
            return Type.REPLACED;
        }
        if (cause instanceof StaleTermException) {
            return Type.STALE_TERM;
        }
        if (cause instanceof IOException || cause instanceof UncheckedIOException) {
            return Type.IO;
        }
        return cause instanceof IllegalArgumentException ? Type.ARGUMENT : Type.STATE;
    }

    /**
     * Returns the exception for the caller.
     *
     * @param shard name of the shard that the request was for; not used for other requests
     */
    public RuntimeException exception(String shard) {
        return switch (type) {
            case MASTER_GONE -> new MasterGoneException();
            case SHARD_TIMEOUT -> new ShardTimeoutException(message);
            case SHARD_GONE -> new ShardGoneException(shard);
            case STALE_TERM -> new StaleTermException(message, followed);
            case REPLACED -> new TryAgainException(message);
            case ARGUMENT -> new IllegalArgumentException(message);
            case STATE -> new IllegalStateException(message);
            case IO -> new UncheckedIOException(new IOException(message));
        };
    }

    /** Thrown at the caller when the peer responded with a failure. */
    public static final class Answered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient RemoteFailure failure;

        public Answered(RemoteFailure failure) {
            super(failure.message(), null, false, false);
            this.failure = failure;
        }

        public RemoteFailure failure() {
            return failure;
        }
    }
}
