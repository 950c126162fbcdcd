package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.rounds.Round;
import dev.edl.runtime.ps.rounds.RoundMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A worker's wait for the rounds that hold one push, over all shards. */
final class RoundWait {
    /** Number of yields before a sleep; they take about 0.1 ms on an idle processor. */
    private static final int YIELDS = 200;

    private final RoundMember member;
    private final List<ParameterShard> shards = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private boolean lost;

    private RoundWait(RoundMember member) {
        this.member = member;
    }

    /** Marks the member as waiting, then lets every shard check whether that completes its round. */
    static RoundWait begin(RoundMember member, long pushId, ParameterShard[] all) {
        RoundWait waiting = new RoundWait(member);
        for (ParameterShard shard : all) {
            Round round = shard.waits().enter(member, pushId);
            // Read once: another thread may be ending the round.
            Round.State state = round.state();
            if (state == Round.State.LOST) {
                waiting.lost = true;
            } else if (state == Round.State.OPEN) {
                waiting.shards.add(shard);
                waiting.rounds.add(round);
            }
        }
        if (waiting.lost) {
            waiting.withdraw();
        }
        if (!waiting.over()) {
            for (ParameterShard shard : all) {
                shard.recheck();
            }
        }
        return waiting;
    }

    /** Returns whether there is no round to wait for. */
    boolean over() {
        return lost || rounds.isEmpty();
    }

    /** Returns, for a completed wait, whether every shard applied the push. */
    boolean applied() {
        return !lost;
    }

    /** Sleeps until all rounds have ended or one is lost. Returns the nanoseconds that remain of {@code nanos}. */
    long sleep(long nanos, Duration bound) throws InterruptedException {
        long left = nanos;
        yieldToOthers();
        for (int i = 0; i < rounds.size(); i++) {
            left = shards.get(i).waits().await(rounds.get(i), left, bound);
            if (rounds.get(i).state() == Round.State.LOST) {
                break;
            }
        }
        return left;
    }

    /**
     * Yields the processor for a while before sleeping. Similar workers end their minibatches almost together, and
     * waking a thread takes longer than the time between them.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Correctness does not depend on it; it only saves time.
    private void yieldToOthers() {
        for (int turn = 0; turn < YIELDS && anyOpen(); turn++) {
            Thread.yield();
        }
    }

    private boolean anyOpen() {
        for (int i = 0; i < rounds.size(); i++) {
            if (rounds.get(i).state() == Round.State.OPEN) {
                return true;
            }
        }
        return false;
    }

    /** Ends the wait, whether completed or not. */
    void withdraw() {
        for (int i = 0; i < rounds.size(); i++) {
            shards.get(i).waits().withdraw(member, rounds.get(i));
        }
    }
}
