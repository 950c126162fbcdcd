package dev.edl.runtime.ps.internal;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock whose holders soon leave it: who comes meanwhile looks again for about a tenth of a millisecond before it
 * sleeps, because to be woken takes longer than what is done under the lock of a shard.
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
