package dev.edl.runtime.engine;

import dev.edl.runtime.internal.text.DurationFormat;
import dev.edl.runtime.ps.ShardTimeoutException;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for parameter servers that are away. A call of the shards gives up soon and is made again, so that in between a
 * replica that was stopped goes, and one that holds a task says that it lives. One thread at a time.
 */
final class ServerWaits {
    private final Duration longest;
    private final LongSupplier nanos;
    private final IntSupplier missing;
    private final Runnable meanwhile;

    /**
     * Waits of one replica or caller.
     *
     * @param longest the training's absenceTimeout
     * @param nanos the time, which only rises
     * @param missing the number of a server that is away; -1 for none
     * @param meanwhile done between two calls; what it throws ends the wait
     */
    ServerWaits(Duration longest, LongSupplier nanos, IntSupplier missing, Runnable meanwhile) {
        this.longest = longest;
        this.nanos = nanos;
        this.missing = missing;
        this.meanwhile = meanwhile;
    }

    /** Something that needs all shards, and has no effect when it throws {@link ShardTimeoutException}. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws InterruptedException;
    }

    /**
     * Does it once all shards are there.
     *
     * @throws ShardTimeoutException when one is away for longer than the training's absenceTimeout
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

    /** One wait, whose bound counts from its beginning. */
    final class Wait {
        private final long began = nanos.getAsLong();

        private Wait() {}

        /** Ends the wait when its bound is over. */
        void check(ShardTimeoutException away) {
            meanwhile.run();
            if (nanos.getAsLong() - began >= longest.toNanos()) {
                int absent = missing.getAsInt();
                throw absent < 0
                        ? away
                        : new ShardTimeoutException("parameter server ps-" + absent + " did not come back within "
                                + DurationFormat.of(longest) + ", the training's absenceTimeout");
            }
        }
    }
}
