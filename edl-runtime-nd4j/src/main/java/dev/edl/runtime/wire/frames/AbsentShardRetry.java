package dev.edl.runtime.wire.frames;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.ps.ShardTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Bounded retry of one call to absent shards, with a doubling backoff. */
final class AbsentShardRetry {
    private final Duration bound;
    private final ReconnectBackoff backoff;
    private final CountDownLatch closed;
    private final LongSupplier nanos;
    private boolean begun;
    private long end;

    AbsentShardRetry(Duration bound, ConnectionSettings settings, CountDownLatch closed, LongSupplier nanos) {
        this.bound = bound;
        // One worker's retries need no jitter: each server has its own connections.
        this.backoff = new ReconnectBackoff(settings, () -> 0);
        this.closed = closed;
        this.nanos = nanos;
    }

    /**
     * Waits before an absent shard is called again.
     *
     * @throws ShardTimeoutException when the bound expires; its cause is the last attempt's failure
     */
    void pause(ShardConnection connection) throws InterruptedException {
        if (!begun) {
            begun = true;
            end = nanos.getAsLong() + bound.toNanos();
        }
        long left = end - nanos.getAsLong();
        if (left <= 0) {
            ShardTimeoutException over = new ShardTimeoutException(
                    "parameter shard " + connection.shard() + " did not come back within " + DurationText.of(bound));
            over.initCause(connection.failure());
            throw over;
        }
        if (closed.await(Math.min(left, backoff.next().toNanos()), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("the connections to the parameter shards are closed");
        }
    }

    /** Returns the text for people, for example {@code waits at most 30s for absent shards}. */
    @Override
    public String toString() {
        return "waits at most " + DurationText.of(bound) + " for absent shards";
    }
}
