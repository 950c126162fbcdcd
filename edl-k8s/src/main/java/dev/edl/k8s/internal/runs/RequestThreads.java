package dev.edl.k8s.internal.runs;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Daemon threads that make requests. Their number bounds the concurrent requests; further requests wait in a queue. A
 * thread ends after 1 s without work.
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

    /** Accepts no more tasks, and waits up to 2 s for running ones; the rest end within the client's own limit. */
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
