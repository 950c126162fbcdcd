package dev.edl.runtime.wire.control.internal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads with names. */
public final class DaemonThreads {
    private static final long IDLE_SECONDS = 10;

    private DaemonThreads() {}

    /** Threads that come when there is work and go a while later. */
    public static ExecutorService pool(String name, int most) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Threads for what waits for the network; they go a while after it has ended. */
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
     * Ends threads that were told to end.
     *
     * @param millis the longest wait until they do so by themselves, and the longest wait after they were made to
     * @param cut makes them end
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
