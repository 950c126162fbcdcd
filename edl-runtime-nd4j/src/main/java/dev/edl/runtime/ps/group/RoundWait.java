package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.rounds.Round;
import dev.edl.runtime.ps.rounds.RoundMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A worker's wait for the rounds that hold one push, over all shards. */
final class RoundWait {
    /** About a tenth of a millisecond on an idle processor. */
    private static final int YIELDS = 200;

    private final RoundMember member;
    private final List<ParameterShard> shards = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private boolean lost;

    private RoundWait(RoundMember member) {
        this.member = member;
    }

    /** Marks the member as waiting, then lets every shard see whether it waited for that. */
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

    /** Whether there is nothing to sleep for. */
    boolean over() {
        return lost || rounds.isEmpty();
    }

    /** Of a wait that is over: whether every shard applied the push. */
    boolean applied() {
        return !lost;
    }

    /** Sleeps until all rounds are over or one is lost; the nanoseconds that are left. */
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
     * Workers that are alike end their minibatches nearly together, and to be woken takes longer than the others are
     * late. So it gives its processor to other threads for a while, and sleeps only after that.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: what it gains is time.
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

    /** Ends the wait, over or not. */
    void withdraw() {
        for (int i = 0; i < rounds.size(); i++) {
            shards.get(i).waits().withdraw(member, rounds.get(i));
        }
    }
}
