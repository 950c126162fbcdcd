package dev.edl.k8s.internal.runs;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Daemon threads that make requests, and so bound how many are under way at once; the others wait in a queue. A thread that has
 * nothing to do for a second goes.
 */
public final class RequestThreads implements Executor, AutoCloseable {
    private final ThreadPoolExecutor threads;

    public RequestThreads(int atOnce) {
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(atOnce, atOnce, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "edl-request-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a task when a thread is free.
     *
     * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
     */
    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Takes no more, and waits up to two seconds for what is under way; the rest ends within the client's own limit. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
