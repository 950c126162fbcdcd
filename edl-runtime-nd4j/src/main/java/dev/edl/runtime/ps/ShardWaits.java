package dev.edl.runtime.ps;

import dev.edl.runtime.ps.rounds.Round;
import dev.edl.runtime.ps.rounds.RoundMember;
import dev.edl.runtime.ps.rounds.ShardRounds;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** Waits of workers for the rounds of one shard. Safe for several threads. */
public final class ShardWaits {
    private final ParameterShard shard;
    private final ReentrantLock lock;
    private final ShardRounds rounds;
    private final ShardUpdates updates;

    ShardWaits(ParameterShard shard, ReentrantLock lock, ShardRounds rounds, ShardUpdates updates) {
        this.shard = shard;
        this.lock = lock;
        this.rounds = rounds;
        this.updates = updates;
    }

    /**
     * Waits until the round that holds a push has ended. Only for a shard without a group: workers of a group wait for
     * all its shards together.
     *
     * @param pushId id of a push whose outcome was ACCUMULATED
     * @param bound the longest wait
     * @return true if the push is part of an update; false if the shard does not, or no longer, hold it, so that the
     *     worker must repeat the minibatch
     * @throws ShardTimeoutException when the bound expires; the message names the shard, the round and the members that
     *     have not pushed
     */
    public boolean awaitRound(String worker, long pushId, Duration bound) throws InterruptedException {
        RoundMember member;
        lock.lock();
        try {
            member = rounds.member(worker);
        } finally {
            lock.unlock();
        }
        Round awaited = enter(member, pushId);
        try {
            shard.recheck();
            await(awaited, bound.toNanos(), bound);
        } finally {
            withdraw(member, awaited);
        }
        return awaited.state() == Round.State.APPLIED;
    }

    /** Returns the round that holds a push; if that round is open, first marks the member as waiting for it. */
    public Round enter(RoundMember member, long pushId) {
        lock.lock();
        try {
            Round round = rounds.open();
            if (!shard.retired() && round.holds(pushId)) {
                round.enter(member);
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

    /** Sleeps until a round has ended. Returns the nanoseconds that remain of {@code nanos}. */
    public long await(Round awaited, long nanos, Duration bound) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return rounds.await(awaited, nanos, bound, updates.version());
        } finally {
            lock.unlock();
        }
    }

    /** Ends a member's wait for a round. */
    public void withdraw(RoundMember member, Round awaited) {
        lock.lock();
        try {
            awaited.withdraw(member);
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
