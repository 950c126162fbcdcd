package dev.edl.operators.controller.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The daemon threads of a pool, whose end is waited for: a pool is told to have terminated while its last thread still runs. */
public final class JoinableThreads {
    private final String name;
    private final AtomicInteger number = new AtomicInteger();
    private final List<Thread> began = new CopyOnWriteArrayList<>();

    /** Threads of that name; each has its number after it. */
    public JoinableThreads(String name) {
        this.name = name;
    }

    /** A thread for the pool. */
    public Thread of(Runnable runnable) {
        began.removeIf(earlier -> earlier.getState() == Thread.State.TERMINATED);
        Thread thread = new Thread(runnable, name + "-" + number.getAndIncrement());
        thread.setDaemon(true);
        began.add(thread);
        return thread;
    }

    /** Waits for all of them, a time in all; whether they have ended. */
    public boolean join(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (Thread thread : began) {
            // Zero would be for ever.
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        return began.stream().noneMatch(Thread::isAlive);
    }
}
