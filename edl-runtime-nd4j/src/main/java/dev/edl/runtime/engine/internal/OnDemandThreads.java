package dev.edl.runtime.engine.internal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Executors whose threads end when idle, so that a finished job keeps none. */
public final class OnDemandThreads {
    private OnDemandThreads() {}

    /** Returns an executor that runs tasks serially on a daemon thread, which ends after a second without work. */
    public static ExecutorService singleThread(String name) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
