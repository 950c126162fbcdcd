package dev.edl.runtime.engine;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.ps.ShardTimeoutException;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Retries calls to the shards while parameter servers are absent. Each call gives up quickly. Between two calls, an
 * action of the caller runs, which ends a stopped replica. Used by one thread at a time.
 */
final class AbsentServerRetry {
    private final Duration longest;
    private final LongSupplier nanos;
    private final IntSupplier missing;
    private final Runnable meanwhile;

    /**
     * Creates the retries of one replica, or of one caller outside of the replicas.
     *
     * @param longest maximum duration of one wait: the training's absenceTimeout
     * @param nanos monotonic time
     * @param missing returns the index of an absent server; -1 for none
     * @param meanwhile action that runs between two calls; an exception that it throws ends the wait
     */
    AbsentServerRetry(Duration longest, LongSupplier nanos, IntSupplier missing, Runnable meanwhile) {
        this.longest = longest;
        this.nanos = nanos;
        this.missing = missing;
        this.meanwhile = meanwhile;
    }

    /** Call that needs all shards and has no effect if it throws {@link ShardTimeoutException}. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws InterruptedException;
    }

    /**
     * Retries a call until all shards are present.
     *
     * @throws ShardTimeoutException if a shard is absent for longer than the training's absenceTimeout
     */
    <T> T until(Call<T> call) throws InterruptedException {
        Wait wait = begin();
        while (true) {
            try {
                return call.run();
            } catch (ShardTimeoutException away) {
                wait.check(away);
            }
        }
    }

    Wait begin() {
        return new Wait();
    }

    /** One wait for absent servers; its maximum duration counts from its creation. */
    final class Wait {
        private final long began = nanos.getAsLong();

        private Wait() {}

        /** Throws a {@link ShardTimeoutException} if the wait has lasted its maximum duration. */
        void check(ShardTimeoutException away) {
            meanwhile.run();
            if (nanos.getAsLong() - began >= longest.toNanos()) {
                int absent = missing.getAsInt();
                throw absent < 0
                        ? away
                        : new ShardTimeoutException("parameter server ps-" + absent + " did not come back within "
                                + DurationText.of(longest) + ", the training's absenceTimeout");
            }
        }
    }
}
