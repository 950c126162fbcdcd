package dev.edl.k8s.internal.logs;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Tells one thread that something may have changed since it last looked. Thread-safe. */
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

    /** Waits for a signal, one that was given already too; not for longer than the limit. */
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
