package dev.edl.bench.harness;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gate that holds threads between two steps while it is closed, so that subject and peer take turns without a restart.
 * Open at first. Thread-safe.
 */
public final class ThreadGate {
    private final Duration bound;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private volatile boolean open = true;

    /**
     * Creates an open gate.
     *
     * @param bound longest wait of a thread at the closed gate
     */
    public ThreadGate(Duration bound) {
        this.bound = bound;
    }

    /** Releases all threads. */
    public void open() {
        lock.lock();
        try {
            open = true;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Holds each thread at its next call of {@link #pass}. */
    public void close() {
        open = false;
    }

    /**
     * Waits until the gate is open. In an interrupted thread it returns at once, and the thread stays interrupted.
     *
     * @throws IllegalStateException when it stays closed for longer than the bound
     */
    public void pass() {
        if (open) {
            return;
        }
        lock.lock();
        try {
            long left = bound.toNanos();
            while (!open) {
                if (left <= 0) {
                    throw new IllegalStateException(Thread.currentThread().getName()
                            + " waited for its turn for more than " + bound.toMillis() + " ms");
                }
                left = opened.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Returns for example {@code an open gate, 60 s}. */
    @Override
    public String toString() {
        return (open ? "an open" : "a closed") + " gate, " + TimeUnit.NANOSECONDS.toSeconds(bound.toNanos()) + " s";
    }
}
