package dev.edl.runtime.wire.control.internal;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other, in the order given, on threads that many serial executors share. Each task names its
 * threads, so that tasks that may block do not occupy the threads of those that cannot.
 */
public final class SerialExecutor {
    private static final System.Logger LOG = System.getLogger(SerialExecutor.class.getName());

    private record Work(Executor threads, Runnable task) {}

    private final Queue<Work> queue = new ArrayDeque<>();
    private boolean running;
    private boolean ended;

    /** Runs a task on one of these threads, once the earlier tasks have ended. */
    public void execute(Executor threads, Runnable task) {
        Work work = new Work(threads, task);
        synchronized (this) {
            if (ended) {
                return;
            }
            if (running) {
                queue.add(work);
                return;
            }
            running = true;
        }
        start(work);
    }

    /** Drops the tasks that have not begun, and runs the given last task after the current one. */
    public void end(Executor threads, Runnable last) {
        Work work = new Work(threads, last);
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            queue.clear();
            if (running) {
                queue.add(work);
                return;
            }
            running = true;
        }
        start(work);
    }

    private void start(Work work) {
        try {
            work.threads.execute(() -> run(work.task));
        } catch (RejectedExecutionException closed) {
            synchronized (this) {
                ended = true;
                queue.clear();
            }
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException failure) {
            LOG.log(System.Logger.Level.WARNING, "a message could not be handled", failure);
        } finally {
            Work next = next();
            if (next != null) {
                start(next);
            }
        }
    }

    private synchronized @Nullable Work next() {
        Work next = queue.poll();
        running = next != null;
        return next;
    }
}
