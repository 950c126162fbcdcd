package dev.edl.runtime.engine.internal;

import dev.edl.runtime.internal.threads.DaemonThreads;
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
 * <p>It has two buffers, each for the records of one task: the worker uses one, the reader's thread fills the other. So
 * it needs memory for twice the decoded records of the largest task, for data of any size. The reader's thread does all
 * reads of the worker, one at a time. Only the worker's thread calls the methods.
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

    /**
     * Supplies the task to read; empty if there is none. The worker's next call of {@link #task} or {@link #take}
     * throws the source's exception.
     */
    @FunctionalInterface
    public interface Source {
        Optional<Task> next() throws InterruptedException;
    }

    /** Reads the records of a task into a buffer. */
    @FunctionalInterface
    public interface Reading {
        void read(Task task, TaskRecords into) throws IOException;
    }

    /** One task, from its request until its records are read. */
    private record PrefetchedTask(CompletableFuture<Optional<Task>> task, CompletableFuture<Boolean> read) {}

    /**
     * Creates an idle reader.
     *
     * @param name name of the reader's thread
     * @param room allocates a buffer for the records of one task
     * @param close maximum time that {@link #close} waits for a read in progress
     */
    public ReadAhead(String name, Supplier<TaskRecords> room, Reading reading, Duration close) {
        this.name = name;
        this.close = close;
        this.reading = reading;
        this.used = room.get();
        this.filled = room.get();
        this.thread = Executors.newSingleThreadExecutor(DaemonThreads.named(name));
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

    /** Returns whether no request for a next task is pending: it was answered, or there was none; does not wait. */
    public boolean asked() {
        PrefetchedTask now = prefetched;
        return now == null || now.task.isDone();
    }

    /**
     * Waits until the request for the next task is answered.
     *
     * @param meanwhile action that runs repeatedly during the wait; an exception that it throws ends the wait
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

    /** Waits until no read is in progress, and discards the prefetched task, its records, or its failure. */
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
