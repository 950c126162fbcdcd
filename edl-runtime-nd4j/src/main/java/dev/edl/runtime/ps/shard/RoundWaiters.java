package dev.edl.runtime.ps.shard;

import dev.edl.runtime.ps.ShardTimeoutException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** Waits of workers for the rounds of one shard. Safe for several threads. */
public final class RoundWaiters {
    private final ParameterShard shard;
    private final ReentrantLock lock;
    private final ShardRounds rounds;
    private final ShardUpdates updates;

    RoundWaiters(ParameterShard shard, ReentrantLock lock, ShardRounds rounds, ShardUpdates updates) {
        this.shard = shard;
        this.lock = lock;
        this.rounds = rounds;
        this.updates = updates;
    }

    /** Returns the round that holds a push; if that round is open, first marks the member as waiting for it. */
    Round enter(RoundWait wait, long pushId) {
        lock.lock();
        try {
            Round round = rounds.open();
            if (!shard.retired() && round.holds(pushId)) {
                round.enter(wait);
                return round;
            }
            boolean done = !shard.retired() && updates.applied().contains(pushId);
            return Round.over(done ? Round.State.APPLIED : Round.State.LOST);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the round that holds a push is open. */
    public boolean isOpen(long pushId) {
        lock.lock();
        try {
            return !shard.retired() && rounds.open().holds(pushId);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Throws a {@link ShardTimeoutException} if a round has not ended within a bound; its message names the shard, the
     * round and the members that have not pushed.
     */
    void requireEnded(Round awaited, Duration bound) {
        lock.lock();
        try {
            rounds.requireEnded(awaited, bound, updates.version());
        } finally {
            lock.unlock();
        }
    }

    /** Ends a wait for a round. */
    void withdraw(RoundWait wait, Round awaited) {
        lock.lock();
        try {
            awaited.withdraw(wait);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the text for people, for example {@code waits of ps-1[320..650) ...}. */
    @Override
    public String toString() {
        return "waits of " + shard;
    }
}
