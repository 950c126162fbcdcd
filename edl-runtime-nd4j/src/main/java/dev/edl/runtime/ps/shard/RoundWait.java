package dev.edl.runtime.ps.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A worker's wait for the rounds that hold one push, at one shard or at all shards of a group. The worker's thread calls
 * all methods but {@link #roundEnded} and {@link #unpark}.
 *
 * <p>The thread parks once for all rounds and takes no lock when it wakes. A thread that ends a round lets the member's
 * count fall, then sets the round's state, then releases the shard's lock, and then wakes the members.
 */
public final class RoundWait implements AutoCloseable {
    /** Number of yields before a thread parks; they take about 0.1 ms on an idle processor. */
    private static final int YIELDS = 200;

    private final RoundMember member;
    private final List<ParameterShard> shards = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    /** Number of entered rounds whose end this wait has not seen. */
    private final AtomicInteger open = new AtomicInteger();

    private volatile boolean lost;
    /** The thread that may be parked. */
    private volatile @Nullable Thread sleeper;

    /** Creates a wait for no rounds. */
    public RoundWait(RoundMember member) {
        this.member = member;
    }

    /** Marks the member as waiting, then lets every shard check whether that completes its round. */
    public static RoundWait begin(RoundMember member, long pushId, ParameterShard... all) {
        RoundWait waiting = new RoundWait(member);
        for (ParameterShard shard : all) {
            waiting.enter(shard, pushId);
        }
        if (waiting.lost) {
            waiting.close();
        }
        if (!waiting.over()) {
            for (ParameterShard shard : all) {
                shard.recheck();
            }
        }
        return waiting;
    }

    /** Adds the round of a shard that holds a push. If that round is open, marks the member as waiting for it. */
    public void enter(ParameterShard shard, long pushId) {
        Round round = shard.waits().enter(this, pushId);
        shards.add(shard);
        rounds.add(round);
        if (round.state() == Round.State.LOST) {
            lost = true;
        }
    }

    /** Records that one more round is awaited; under its shard's lock. */
    void roundEntered() {
        open.incrementAndGet();
        member.enter();
    }

    /** Records that a round has ended. Called without any lock, before {@link #unpark}. */
    void roundEnded(Round.State how) {
        if (how == Round.State.LOST) {
            lost = true;
        }
        open.decrementAndGet();
    }

    /** Unparks the worker's thread if the wait is over. */
    void unpark() {
        if (over()) {
            LockSupport.unpark(sleeper);
        }
    }

    RoundMember member() {
        return member;
    }

    /** Returns whether all rounds have ended, or one is lost. */
    public boolean over() {
        return lost || open.get() == 0;
    }

    /** Returns, for a wait that is over, whether every shard applied the push. */
    public boolean applied() {
        return !lost;
    }

    /**
     * Yields the processor for a while, as long as the wait is not over. Similar workers end their minibatches almost
     * together, and waking a thread takes longer than the time between them.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Correctness does not depend on it; it only saves time.
    public void yieldToOthers() {
        for (int turn = 0; turn < YIELDS && !over(); turn++) {
            Thread.yield();
        }
    }

    /**
     * Parks the thread until the wait is over.
     *
     * @param nanos the longest sleep in nanoseconds
     * @param bound the bound of the worker's whole wait, for the exception's message
     * @return the nanoseconds that remain of {@code nanos}
     * @throws dev.edl.runtime.ps.ShardTimeoutException when the sleep ends before a round; names the missing members
     */
    public long sleep(long nanos, Duration bound) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        long left = nanos;
        sleeper = Thread.currentThread();
        while (!over()) {
            if (Thread.interrupted()) {
                throw new InterruptedException(this + " and was interrupted");
            }
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else {
                // Passes if all rounds have ended and their threads are about to wake this one.
                requireEnded(bound);
            }
            left = end - System.nanoTime();
        }
        return left;
    }

    private void requireEnded(Duration bound) {
        for (int i = 0; i < rounds.size(); i++) {
            shards.get(i).waits().requireEnded(rounds.get(i), bound);
        }
        Thread.onSpinWait();
    }

    /** Ends the wait, whether it is over or not. */
    @Override
    public void close() {
        for (int i = 0; i < rounds.size(); i++) {
            if (rounds.get(i).state() == Round.State.OPEN) {
                shards.get(i).waits().withdraw(this, rounds.get(i));
            }
        }
    }

    /** Returns the text for people, for example {@code worker-3 awaits rounds of [ps-0, ps-1]}. */
    @Override
    public String toString() {
        return member.name() + " awaits rounds of "
                + shards.stream().map(shard -> shard.range().name()).toList();
    }
}
