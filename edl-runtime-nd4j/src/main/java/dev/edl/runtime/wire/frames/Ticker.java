package dev.edl.runtime.wire.frames;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Calls an action again and again, until it is closed; silences are counted in its ticks. */
interface Ticker extends AutoCloseable {
    /** The time between two ticks. */
    Duration TICK = Duration.ofSeconds(1);

    /** Begins to call an action. */
    void start(Runnable tick);

    @Override
    void close();

    /** Returns the ticks that are at least so long. */
    static int ticks(Duration bound) {
        long ticks = bound.toNanos() / TICK.toNanos() + (bound.toNanos() % TICK.toNanos() == 0 ? 0 : 1);
        return (int) Math.min(Integer.MAX_VALUE, ticks);
    }

    /** Returns a ticker with a daemon thread of this name. */
    static Ticker daemon(String name) {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
        return new Ticker() {
            @Override
            public void start(Runnable tick) {
                Future<?> unused =
                        timer.scheduleAtFixedRate(tick, TICK.toNanos(), TICK.toNanos(), TimeUnit.NANOSECONDS);
            }

            @Override
            public void close() {
                timer.shutdownNow();
                Threads.join(timer);
            }
        };
    }
}
