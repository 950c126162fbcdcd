package dev.edl.runtime.internal.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Named daemon threads, pools of them, and their end. */
public final class DaemonThreads {
    private static final long IDLE_SECONDS = 10;

    /** Maximum wait, in milliseconds, for a thread that was interrupted and whose channel is closed. */
    private static final long END_MILLIS = 5000;

    private DaemonThreads() {}

    /** Returns a daemon thread that is not started. */
    public static Thread thread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a factory whose threads all have this name. */
    public static ThreadFactory named(String name) {
        return work -> thread(work, name);
    }

    /** Returns a factory whose threads have a prefix and their number, from 0. */
    public static ThreadFactory numbered(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return work -> thread(work, prefix + count.getAndIncrement());
    }

    /** Returns a pool of at most {@code most} threads, which start on demand and end after 10 s without work. */
    public static ExecutorService pool(String name, int most) {
        return pool(most, IDLE_SECONDS, numbered(name + "-"));
    }

    /** Returns an executor that runs tasks serially on a thread, which ends after a second without work. */
    public static ExecutorService onDemand(String name) {
        return pool(1, 1, named(name));
    }

    private static ExecutorService pool(int most, long idleSeconds, ThreadFactory threads) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(most, most, idleSeconds, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Returns a pool for tasks that wait for the network; idle threads end after a while. */
    public static ExecutorService network(String name) {
        return Executors.newCachedThreadPool(numbered(name + "-net-"));
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

    /** Waits until an interrupted thread has ended, even if the caller is interrupted. */
    public static void join(Thread thread) {
        if (thread == Thread.currentThread()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the threads of a shut-down executor have ended. */
    public static void join(ExecutorService threads) {
        boolean interrupted = Thread.interrupted();
        try {
            if (!threads.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("a thread of a connection did not end within " + END_MILLIS + " ms");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
