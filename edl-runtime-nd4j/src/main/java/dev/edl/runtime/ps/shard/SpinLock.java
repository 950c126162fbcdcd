package dev.edl.runtime.ps.shard;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for short critical sections. A waiting thread spins for about 0.1 ms before it sleeps, because a wake-up takes
 * longer than the work under a shard's lock.
 */
final class SpinLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    /** Number of attempts before a thread sleeps; each takes a few microseconds. */
    private static final int TURNS = 20;

    private static final int LOOKS = 100;

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Correctness does not depend on it; it only saves time.
    public void lock() {
        for (int turn = 0; turn < TURNS; turn++) {
            for (int look = 0; look < LOOKS; look++) {
                if (!isLocked() && tryLock()) {
                    return;
                }
                Thread.onSpinWait();
            }
            // There may be fewer processors than workers, and the holder may need this one.
            Thread.yield();
        }
        super.lock();
    }
}
