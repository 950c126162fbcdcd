package dev.edl.runtime.engine.internal;

import dev.edl.runtime.internal.threads.DaemonThreads;
import dev.edl.runtime.ps.ShardCut;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the checkpoints of one master on a separate thread, one at a time. Meanwhile the master's thread still expires
 * leases and compares shards with the ledger, even if the disk is slow. Used by the master's thread only.
 */
public final class CheckpointWriter implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;

    /** Maximum time that a stopped master waits for a write in progress. */
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final ExecutorService thread;
    private final Runnable turn;
    private @Nullable Future<?> current;

    /**
     * Creates an idle writer.
     *
     * @param name name of the writer's thread
     * @param turn action that runs repeatedly while the master waits for a write; an exception that it throws ends the
     *     wait
     */
    public CheckpointWriter(String name, Runnable turn) {
        this.thread = DaemonThreads.onDemand(name);
        this.turn = turn;
    }

    /** Returns whether no write is in progress; if the last write failed, throws its exception. */
    public boolean isIdle() throws InterruptedException {
        Future<?> last = current;
        if (last == null) {
            return true;
        }
        if (!last.isDone()) {
            return false;
        }
        current = null;
        settle(last, 0);
        return true;
    }

    /**
     * Starts to write a checkpoint.
     *
     * @param write action that writes the checkpoint; the next call of {@link #isIdle} or {@link #await} throws its
     *     exception
     * @throws IllegalStateException if the previous write has not ended
     */
    public void begin(ShardCut cut, Runnable write) {
        if (current != null) {
            throw new IllegalStateException(
                    "the checkpoint before version " + cut.version() + " is still being written");
        }
        current = thread.submit(write);
    }

    /** Waits for the write in progress, unless the replica is stopped; if the write failed, throws its exception. */
    public void await() throws InterruptedException {
        while (current != null) {
            turn.run();
            boolean over = true;
            try {
                over = settle(current, LOOK_MILLIS);
            } finally {
                if (over) {
                    current = null;
                }
            }
        }
    }

    private static boolean settle(Future<?> write, long millis) throws InterruptedException {
        try {
            write.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException later) {
            return false;
        } catch (CancellationException closed) {
            return true;
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof RuntimeException mistake) {
                throw mistake;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a checkpoint was not written", cause);
        }
    }

    /** Waits up to ten seconds for the current write. A checkpoint is written completely or not at all. */
    @Override
    public void close() {
        thread.shutdown();
        long end = System.nanoTime() + CLOSE.toNanos();
        boolean interrupted = false;
        boolean ended = false;
        for (long left = CLOSE.toNanos(); !ended && left > 0; left = end - System.nanoTime()) {
            try {
                ended = thread.awaitTermination(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // The directory must not be unlocked for another run while it is written to.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            System.getLogger(CheckpointWriter.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "a checkpoint is still being written after " + CLOSE.toSeconds()
                                    + " s; it is finished without its master");
        }
    }
}
