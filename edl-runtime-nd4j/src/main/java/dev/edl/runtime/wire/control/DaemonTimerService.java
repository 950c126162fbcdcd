package dev.edl.runtime.wire.control;

import dev.edl.runtime.wire.control.internal.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Timers on one daemon thread. */
public final class DaemonTimerService implements TimerService, AutoCloseable {
    private final ScheduledThreadPoolExecutor thread;
    private final LongSupplier nanos;

    /**
     * Makes a timer service, whose thread starts with the first timer.
     *
     * @param name name of the thread
     * @param nanos monotonic clock in nanoseconds
     */
    public DaemonTimerService(String name, LongSupplier nanos) {
        this.thread = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(name));
        this.thread.setRemoveOnCancelPolicy(true);
        this.nanos = nanos;
    }

    @Override
    public long nanoTime() {
        return nanos.getAsLong();
    }

    @Override
    public Runnable schedule(Duration delay, Runnable task) {
        try {
            Future<?> alarm = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> alarm.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    /** Cancels all timers and ends the thread. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
