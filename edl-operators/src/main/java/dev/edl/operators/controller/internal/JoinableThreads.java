package dev.edl.operators.controller.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Factory of a thread pool's daemon threads that can join them. A pool itself reports its termination while its last
 * thread may still run.
 */
public final class JoinableThreads {
    private final String name;
    private final AtomicInteger number = new AtomicInteger();
    private final List<Thread> began = new CopyOnWriteArrayList<>();

    /** Creates a factory whose threads are named {@code NAME-NUMBER}. */
    public JoinableThreads(String name) {
        this.name = name;
    }

    /** Returns a thread for the pool. */
    public Thread of(Runnable runnable) {
        began.removeIf(earlier -> earlier.getState() == Thread.State.TERMINATED);
        Thread thread = new Thread(runnable, name + "-" + number.getAndIncrement());
        thread.setDaemon(true);
        began.add(thread);
        return thread;
    }

    /** Waits for all threads, at most the limit in total; returns whether all have ended. */
    public boolean join(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (Thread thread : began) {
            // Zero would wait without limit.
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        return began.stream().noneMatch(Thread::isAlive);
    }
}
