package dev.edl.runtime.ps.host;

import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.rounds.Round;
import dev.edl.runtime.ps.rounds.RoundMember;
import java.time.Duration;

/** A worker's wait for the round of one shard that holds a push. Used by the thread of the worker's connection. */
public final class AwaitedRound implements AutoCloseable {
    private final ParameterShard shard;
    private final RoundMember member;
    private final Round round;

    AwaitedRound(ParameterShard shard, RoundMember member, Round round) {
        this.shard = shard;
        this.member = member;
        this.round = round;
    }

    /** Returns whether the round has ended, so that there is no need to sleep. */
    public boolean over() {
        return round.state() != Round.State.OPEN;
    }

    /** Returns whether the push is part of an update. Call it once the round has ended. */
    public boolean applied() {
        return round.state() == Round.State.APPLIED;
    }

    /**
     * Sleeps until the round has ended.
     *
     * @param nanos the longest sleep in nanoseconds
     * @param bound the bound of the worker's whole wait, for the exception's message
     * @return the nanoseconds that remain of {@code nanos}
     * @throws dev.edl.runtime.ps.ShardTimeoutException when the sleep ends before the round; names the missing members
     */
    public long sleep(long nanos, Duration bound) throws InterruptedException {
        return shard.waits().await(round, nanos, bound);
    }

    /** Ends the wait, whether the round has ended or not. */
    @Override
    public void close() {
        shard.waits().withdraw(member, round);
    }

    /** Returns the text for people, for example {@code worker-3 awaits a round of ps-1}. */
    @Override
    public String toString() {
        return member.name() + " awaits a round of " + shard.range().name();
    }
}
