package dev.edl.runtime.engine.internal;

import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prefetching reader of one worker: a daemon thread that requests the worker's next task and reads its records while
 * the worker computes.
 *
 * <p>It has two buffers, each for the records of one task: the worker uses one, the thread fills the other. So its
 * memory is twice the decoded records of the largest task, for data of any size. All reads of the worker are on this
 * thread, one at a time. For one worker's thread.
 */
public final class ReadAhead implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final String name;
    private final Duration close;
    private final ExecutorService thread;
    private final Reading reading;
    private TaskRecords used;
    private TaskRecords filled;
    private @Nullable PrefetchedTask prefetched;

    /** Source of the task to read; empty if there is none. The worker's next check throws its exception. */
    @FunctionalInterface
    public interface Source {
        Optional<Task> next() throws InterruptedException;
    }

    /** Reads the records of a task. */
    @FunctionalInterface
    public interface Reading {
        void read(Task task, TaskRecords into) throws IOException;
    }

    /** One task, from its request until its records are read. */
    private record PrefetchedTask(CompletableFuture<Optional<Task>> task, CompletableFuture<Boolean> read) {}

    /**
     * Creates an idle reader.
     *
     * @param name of its thread
     * @param room allocates a buffer for the records of one task
     * @param close longest wait of {@link #close} for a read
     */
    public ReadAhead(String name, Supplier<TaskRecords> room, Reading reading, Duration close) {
        this.name = name;
        this.close = close;
        this.reading = reading;
        this.used = room.get();
        this.filled = room.get();
        this.thread = Executors.newSingleThreadExecutor(work -> {
            Thread made = new Thread(work, name);
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * Starts to request a task and to read its records.
     *
     * @throws IllegalStateException if the previous task was neither taken nor dropped
     */
    public void begin(Source source) {
        if (prefetched != null) {
            throw new IllegalStateException(name + " has a task that was not taken");
        }
        PrefetchedTask next = new PrefetchedTask(new CompletableFuture<>(), new CompletableFuture<>());
        TaskRecords room = filled;
        prefetched = next;
        thread.execute(() -> run(next, source, room));
    }

    /** Requests and reads a task. Passes any exception to the worker through both futures. */
    private void run(PrefetchedTask now, Source source, TaskRecords room) {
        try {
            Optional<Task> task = source.next();
            now.task.complete(task);
            if (task.isPresent()) {
                reading.read(task.get(), room);
            }
            now.read.complete(task.isPresent());
        } catch (Throwable failure) {
            now.task.completeExceptionally(failure);
            now.read.completeExceptionally(failure);
        }
    }

    /** Returns whether the records of a task are ready; does not wait. */
    public boolean ready() {
        PrefetchedTask now = prefetched;
        return now != null && now.read.isDone() && !now.read.isCompletedExceptionally() && now.read.join();
    }

    /** Returns whether the request for the next task is answered; does not wait. */
    public boolean asked() {
        PrefetchedTask now = prefetched;
        return now == null || now.task.isDone();
    }

    /**
     * Waits until the request for the next task is answered.
     *
     * @param meanwhile run while it waits; an exception ends the wait
     */
    public Optional<Task> task(Runnable meanwhile) throws InterruptedException {
        PrefetchedTask now = prefetched;
        if (now == null) {
            return Optional.empty();
        }
        Throwable failure = await(now.task, meanwhile);
        if (failure != null) {
            throw unchecked(failure);
        }
        return now.task.join();
    }

    /**
     * Waits until the records of the task are read; {@link #records} then returns them.
     *
     * @throws IOException if the dataset threw it
     * @throws IllegalStateException if no read was started
     */
    public void take(Runnable meanwhile) throws IOException, InterruptedException {
        PrefetchedTask now = prefetched;
        if (now == null) {
            throw new IllegalStateException(name + " has no task");
        }
        Throwable failure = await(now.read, meanwhile);
        prefetched = null;
        if (failure instanceof IOException unreadable) {
            throw unreadable;
        }
        if (failure != null) {
            throw unchecked(failure);
        }
        TaskRecords taken = filled;
        filled = used;
        used = taken;
    }

    /** Returns the records that were taken last; they stay unchanged until the next ones are taken. */
    public TaskRecords records() {
        return used;
    }

    /** Waits until no read is in progress, and forgets the task and its failure, if any. */
    public void drop(Runnable meanwhile) throws InterruptedException {
        PrefetchedTask now = prefetched;
        if (now != null) {
            await(now.read, meanwhile);
            prefetched = null;
        }
    }

    /** Returns the exception of a future; null if there was none. */
    private static @Nullable Throwable await(CompletableFuture<?> future, Runnable meanwhile)
            throws InterruptedException {
        while (true) {
            try {
                future.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                return null;
            } catch (TimeoutException later) {
                meanwhile.run();
            } catch (ExecutionException failed) {
                return failed.getCause();
            }
        }
    }

    private static RuntimeException unchecked(Throwable failure) throws InterruptedException {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof InterruptedException stop) {
            throw stop;
        }
        return failure instanceof RuntimeException mistake ? mistake : new IllegalStateException(failure);
    }

    /**
     * Interrupts a read in progress and waits for its end. If it does not end, its thread stays, and a warning names
     * it.
     */
    @Override
    public void close() {
        thread.shutdownNow();
        long end = System.nanoTime() + close.toNanos();
        boolean interrupted = false;
        boolean ended = false;
        for (long left = close.toNanos(); !ended && left > 0; left = end - System.nanoTime()) {
            try {
                ended = thread.awaitTermination(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException stop) {
                // The worker ends in any case, and its reader was interrupted.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            System.getLogger(ReadAhead.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            name + " is still reading data and cannot be stopped; its reads have no effect, but"
                                    + " its thread stays");
        }
    }
}
