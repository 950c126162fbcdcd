package dev.edl.runtime.engine.internal;

import dev.edl.runtime.internal.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Task that a daemon thread repeats until this object is closed. A repetition that fails does not end the task. */
public final class PeriodicTask implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PeriodicTask.class.getName());

    private final ScheduledExecutorService thread;

    private final Future<?> task;

    private PeriodicTask(ScheduledExecutorService thread, Future<?> task) {
        this.thread = thread;
        this.task = task;
    }

    /**
     * Starts a task.
     *
     * @param name name of the thread
     * @param pause time before the first repetition, and between two
     */
    public static PeriodicTask start(String name, Duration pause, Runnable task) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(name));
        long nanos = pause.toNanos();
        return new PeriodicTask(
                thread, thread.scheduleWithFixedDelay(() -> run(name, task), nanos, nanos, TimeUnit.NANOSECONDS));
    }

    private static void run(String name, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | OutOfMemoryError failure) {
            // The system may have no thread now; the next repetition may.
            LOG.log(System.Logger.Level.WARNING, name + " has failed and will run again", failure);
        }
    }

    /** Ends the task; a repetition in progress is interrupted. */
    @Override
    public void close() {
        task.cancel(true);
        thread.shutdown();
    }
}
