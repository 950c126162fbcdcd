package dev.edl.runtime.engine.internal;

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
 * Writes the checkpoints of one master on a separate thread, one at a time. Meanwhile leases expire and servers are
 * compared with the ledger, even on a slow disk. For the master's thread.
 */
public final class CheckpointWriter implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;

    /** Longest wait of a stopped master for its last write. */
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final ExecutorService thread;
    private final Runnable turn;
    private @Nullable Future<?> current;

    /**
     * Creates an idle writer.
     *
     * @param name of its thread
     * @param turn run while the master waits for a write; an exception ends the wait
     */
    public CheckpointWriter(String name, Runnable turn) {
        this.thread = OnDemandThreads.singleThread(name);
        this.turn = turn;
    }

    /** Returns whether no write is in progress; throws the exception of the last write. */
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
     * @param write writes it; the next check by the master throws its exception
     * @throws IllegalStateException if the previous write has not ended
     */
    public void begin(ShardCut cut, Runnable write) {
        if (current != null) {
            throw new IllegalStateException(
                    "the checkpoint before version " + cut.version() + " is still being written");
        }
        current = thread.submit(write);
    }

    /** Waits for the current write, as long as the replica runs; throws its exception. */
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
