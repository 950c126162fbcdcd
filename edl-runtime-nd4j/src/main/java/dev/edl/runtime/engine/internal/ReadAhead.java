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
 * The reader of one worker: a daemon thread that gets the worker's next task and reads its records while the worker computes.
 *
 * <p>It has two rooms for records, each for one task: the worker uses one, the thread fills the other. So its memory is twice
 * the decoded records of the largest task, whatever the size of the data. All reads of the worker are on this thread, one at a
 * time. For one worker's thread.
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

    /** Gives the task to read; empty when there is none. What it throws reaches the worker with its next look. */
    @FunctionalInterface
    public interface Source {
        Optional<Task> next() throws InterruptedException;
    }

    /** Reads the records of a task. */
    @FunctionalInterface
    public interface Reading {
        void read(Task task, TaskRecords into) throws IOException;
    }

    /** One task, from the question for it until its records are read. */
    private record PrefetchedTask(CompletableFuture<Optional<Task>> task, CompletableFuture<Boolean> read) {}

    /**
     * A reader that has nothing to read.
     *
     * @param name of its thread
     * @param room makes room for the records of one task
     * @param close the longest that {@link #close} waits for a read
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
     * Begins to get a task and to read its records.
     *
     * @throws IllegalStateException when the one before was neither taken nor dropped
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

    /** Whatever goes wrong belongs to the worker, which looks at both. */
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

    /** Returns whether there is a task whose records are read; does not wait. */
    public boolean ready() {
        PrefetchedTask now = prefetched;
        return now != null && now.read.isDone() && !now.read.isCompletedExceptionally() && now.read.join();
    }

    /** Returns whether it is known if there is a next task; does not wait. */
    public boolean asked() {
        PrefetchedTask now = prefetched;
        return now == null || now.task.isDone();
    }

    /**
     * Waits until it is known whether there is a next task.
     *
     * @param meanwhile done while it waits; what it throws ends the wait
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
     * Waits until the records of the task are read: {@link #records} are these then.
     *
     * @throws IOException when the dataset threw it
     * @throws IllegalStateException when nothing was begun
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

    /** Returns the records that were taken last; they stay as they are until the next ones are taken. */
    public TaskRecords records() {
        return used;
    }

    /** Waits until nothing is read any more, and forgets the task, if there is one, and what went wrong with it. */
    public void drop(Runnable meanwhile) throws InterruptedException {
        PrefetchedTask now = prefetched;
        if (now != null) {
            await(now.read, meanwhile);
            prefetched = null;
        }
    }

    /** Returns what went wrong, null when nothing did. */
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

    /** Interrupts a read that is under way and waits for its end; one that does not end keeps its thread, and is named. */
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
                            name + " is still busy in the data and cannot be stopped; what it reads has no effect, but"
                                    + " its thread stays");
        }
    }
}
