package dev.edl.operators.controller.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Daemon threads of a pool that can be joined, because a pool reports its termination while its last thread still runs.
 */
public final class JoinableThreads {
    private final String name;
    private final AtomicInteger number = new AtomicInteger();
    private final List<Thread> began = new CopyOnWriteArrayList<>();

    /** Creates a factory of threads with this name and a number. */
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

    /** Joins all threads within one common limit; returns whether they have ended. */
    public boolean join(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (Thread thread : began) {
            // Zero would wait without limit.
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        return began.stream().noneMatch(Thread::isAlive);
    }
}
