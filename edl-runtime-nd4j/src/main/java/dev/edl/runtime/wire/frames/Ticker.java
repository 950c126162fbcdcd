package dev.edl.runtime.wire.frames;

import dev.edl.runtime.internal.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs an action periodically until it is closed. Timeouts are counted in its ticks. After a pause of the process, such
 * as SIGSTOP, it runs once and skips the missed ticks, so the pause itself is no silence of a peer.
 */
interface Ticker extends AutoCloseable {
    /** The time between two ticks, from the end of one to the start of the next. */
    Duration TICK = Duration.ofSeconds(1);

    /** Starts to run an action periodically. */
    void start(Runnable tick);

    @Override
    void close();

    /** Runs an action once and logs its failure, so that later ticks and other actions still run. */
    static void call(Runnable tick) {
        try {
            tick.run();
        } catch (RuntimeException | Error e) {
            System.getLogger(Ticker.class.getName())
                    .log(System.Logger.Level.ERROR, "a check of a connection failed; the other checks continue", e);
        }
    }

    /** Returns the smallest number of ticks that covers a duration. */
    static int ticks(Duration bound) {
        long ticks = bound.toNanos() / TICK.toNanos() + (bound.toNanos() % TICK.toNanos() == 0 ? 0 : 1);
        return (int) Math.min(Integer.MAX_VALUE, ticks);
    }

    /** Returns a ticker with a daemon thread of this name. */
    static Ticker daemon(String name) {
        return by(Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(name)));
    }

    /** Returns a ticker that shuts down a timer when it is closed. */
    static Ticker by(ScheduledExecutorService timer) {
        return new Ticker() {
            @Override
            public void start(Runnable tick) {
                // The timer would stop after an action that throws.
                Future<?> unused = timer.scheduleWithFixedDelay(
                        () -> call(tick), TICK.toNanos(), TICK.toNanos(), TimeUnit.NANOSECONDS);
            }

            @Override
            public void close() {
                timer.shutdownNow();
                DaemonThreads.join(timer);
            }
        };
    }
}
