package dev.edl.k8s.internal.logs;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one thread when something may have changed since its last check. Thread-safe. */
public final class ChangeSignal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private boolean pending;

    public void give() {
        lock.lock();
        try {
            pending = true;
            given.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a signal, at most for the limit. Returns at once if a signal came since the last wait. */
    public void await(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(limit);
            while (!pending && left > 0) {
                left = given.awaitNanos(left);
            }
            pending = false;
        } finally {
            lock.unlock();
        }
    }
}
