package dev.edl.bench.harness;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Barrier where threads wait for each other at every step. A thread first spins and yields for about a tenth of a
 * millisecond, as a worker of EDL does, because a wake-up takes longer than the difference of equal threads. Then it
 * polls at growing intervals, so that it uses no processor while the other threads are held.
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
     * Creates a barrier.
     *
     * @param parties number of threads that wait for each other
     * @param bound longest wait of a thread
     */
    public Barrier(int parties, Duration bound) {
        this.parties = parties;
        this.bound = bound;
    }

    /**
     * Counts the calling thread as arrived, without waiting. Returns the current phase, to pass to {@link #passed} and
     * {@link #await}.
     */
    public int arrive() {
        int now = phase;
        if (arrived.incrementAndGet() == parties) {
            arrived.set(0);
            phase = now + 1;
        }
        return now;
    }

    /** Returns whether all threads have arrived in a phase that {@link #arrive} returned. */
    public boolean passed(int ofPhase) {
        return phase != ofPhase;
    }

    /**
     * Waits until all threads have arrived in a phase that {@link #arrive} returned. Returns false if {@link #end} was
     * called before that.
     *
     * @throws IllegalStateException when they have not arrived within the bound
     */
    @SuppressWarnings("ThreadPriorityCheck") // Only an optimization; correctness does not depend on it.
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

    /** Releases all waiting threads, since others will not arrive any more. */
    public void end() {
        ended = true;
    }
}
