package dev.edl.runtime.wire.control.internal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Pools of named daemon threads. */
public final class DaemonThreads {
    private static final long IDLE_SECONDS = 10;

    private DaemonThreads() {}

    /** Returns a pool of at most {@code most} threads, which start on demand and end after 10 s without work. */
    public static ExecutorService pool(String name, int most) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Returns a pool for tasks that wait for the network; idle threads end after a while. */
    public static ExecutorService network(String name) {
        return Executors.newCachedThreadPool(named(name + "-net"));
    }

    public static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + count.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Ends the threads of a pool, first by shutdown and then by force.
     *
     * @param millis the longest wait in milliseconds for the threads to end by themselves, and again after {@code cut}
     * @param cut forces the threads to end
     */
    public static void end(ExecutorService threads, long millis, Runnable cut) {
        threads.shutdown();
        boolean interrupted = Thread.interrupted();
        for (int step = 0; step < 2; step++) {
            try {
                if (!interrupted && threads.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
            cut.run();
            threads.shutdownNow();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
