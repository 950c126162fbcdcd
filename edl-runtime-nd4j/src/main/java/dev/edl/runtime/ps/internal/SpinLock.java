package dev.edl.runtime.ps.internal;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is held briefly. A thread that waits for it spins for about a tenth of a millisecond before it sleeps. A wake-up
 * takes longer than the work under the lock of a shard.
 */
public final class SpinLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    /** Some microseconds each. */
    private static final int TURNS = 20;

    private static final int LOOKS = 100;

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: what it gains is time.
    public void lock() {
        for (int turn = 0; turn < TURNS; turn++) {
            for (int look = 0; look < LOOKS; look++) {
                if (!isLocked() && tryLock()) {
                    return;
                }
                Thread.onSpinWait();
            }
            // Perhaps there are fewer processors than workers, and the holder wants this one.
            Thread.yield();
        }
        super.lock();
    }
}
