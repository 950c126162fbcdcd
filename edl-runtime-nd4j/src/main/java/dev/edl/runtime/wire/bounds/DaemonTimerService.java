package dev.edl.runtime.wire.bounds;

import dev.edl.runtime.internal.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Timers on one daemon thread. A delay counts only while the process runs: after a pause, such as SIGSTOP, a timer
 * waits for the rest of its delay. A peer's messages that arrived during the pause are then read before the timeout.
 */
public final class DaemonTimerService implements TimerService, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DaemonTimerService.class.getName());

    /** Number of steps of a delay. A pause costs a timer at most one step. */
    private static final int STEPS = 4;
    /** Delay of a step beyond which the process counts as paused, in nanoseconds. */
    private static final long LATE = 1_000_000_000;

    private final ScheduledThreadPoolExecutor thread;
    private final LongSupplier nanos;

    /**
     * Creates a timer service, whose thread starts with the first timer.
     *
     * @param name name of the thread
     * @param nanos monotonic clock in nanoseconds
     */
    public DaemonTimerService(String name, LongSupplier nanos) {
        this(new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered(name + "-")), nanos);
    }

    DaemonTimerService(ScheduledThreadPoolExecutor thread, LongSupplier nanos) {
        this.thread = thread;
        this.thread.setRemoveOnCancelPolicy(true);
        this.nanos = nanos;
    }

    @Override
    public long nanoTime() {
        return nanos.getAsLong();
    }

    @Override
    public Runnable schedule(Duration delay, Runnable task) {
        Timer timer = new Timer(delay.toNanos(), task);
        timer.next();
        return timer::cancel;
    }

    /** Cancels all timers and ends the thread. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** One delayed task. */
    private final class Timer {
        private final Runnable task;
        private final long step;
        private long left;
        private long due;
        private @Nullable Future<?> pending;
        private boolean cancelled;

        Timer(long delay, Runnable task) {
            this.task = task;
            this.step = Math.max(1, delay / STEPS);
            this.left = delay;
        }

        synchronized void next() {
            if (cancelled) {
                return;
            }
            // The last step includes the remainder of the division.
            long wait = left < 2 * step ? left : step;
            due = nanos.getAsLong() + wait;
            try {
                pending = thread.schedule(() -> ring(wait), wait, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                cancelled = true;
            }
        }

        private void ring(long waited) {
            if (passed(waited)) {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    LOG.log(System.Logger.Level.ERROR, "a timer's task failed; the other timers continue", e);
                }
            } else {
                next();
            }
        }

        /** Counts a step unless the process was paused in it. Returns whether the delay is over. */
        private synchronized boolean passed(long waited) {
            if (nanos.getAsLong() - due <= LATE) {
                left -= waited;
            }
            return left <= 0 && !cancelled;
        }

        synchronized void cancel() {
            cancelled = true;
            if (pending != null) {
                pending.cancel(false);
            }
        }
    }
}
