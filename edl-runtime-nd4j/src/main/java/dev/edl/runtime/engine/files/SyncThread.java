package dev.edl.runtime.engine.files;

import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.task.journal.SyncTimer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Thread that syncs the journal of a run to disk, so that the ledger does not wait for the disk. It starts with the
 * first sync.
 */
final class SyncThread implements SyncTimer, AutoCloseable {
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("journal-sync"));

    @Override
    public void after(Duration delay, Runnable sync) {
        try {
            ScheduledFuture<?> unused = thread.schedule(sync, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // The run ends, and closing its journal syncs it.
            return;
        }
    }

    /** Ends the thread. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
