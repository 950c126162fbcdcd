package dev.edl.bench.harness;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Where threads wait for each other at every step. A thread first looks again and yields for about a tenth of a
 * millisecond, as a worker of EDL does, because to be woken takes longer than equal threads differ; then it looks at
 * ever longer intervals, so that it leaves the processor to others while its gate is closed.
 */
public final class Barrier {
    private static final int LOOKS = 100;
    private static final int TURNS = 20;
    private static final long SHORTEST_PARK = 20_000;
    private static final long LONGEST_PARK = 1_000_000;

    private final int parties;
    private final Duration bound;
    private final AtomicInteger arrived = new AtomicInteger();
    private volatile int phase;
    private volatile boolean ended;

    /**
     * A barrier of some threads.
     *
     * @param bound the longest wait of a thread
     */
    public Barrier(int parties, Duration bound) {
        this.parties = parties;
        this.bound = bound;
    }

    /** Counts the calling thread, which need not wait at once, and returns the phase to wait for the end of. */
    public int arrive() {
        int now = phase;
        if (arrived.incrementAndGet() == parties) {
            arrived.set(0);
            phase = now + 1;
        }
        return now;
    }

    /** Whether all threads have arrived. */
    public boolean passed(int ofPhase) {
        return phase != ofPhase;
    }

    /**
     * Waits until all threads have arrived; whether they have, and not {@link #end} was called.
     *
     * @throws IllegalStateException when they have not within the bound
     */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: what it gains is time.
    public boolean await(int ofPhase) {
        for (int turn = 0; turn < TURNS; turn++) {
            for (int look = 0; look < LOOKS; look++) {
                if (passed(ofPhase) || ended) {
                    return passed(ofPhase);
                }
                Thread.onSpinWait();
            }
            Thread.yield();
        }
        long end = System.nanoTime() + bound.toNanos();
        long park = SHORTEST_PARK;
        while (!passed(ofPhase) && !ended) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(Thread.currentThread().getName() + " waited for " + parties
                        + " threads at a barrier for more than " + bound.toMillis() + " ms");
            }
            LockSupport.parkNanos(park);
            park = Math.min(LONGEST_PARK, 2 * park);
        }
        return passed(ofPhase);
    }

    /** Lets threads go that wait for others that will not come. */
    public void end() {
        ended = true;
    }
}
