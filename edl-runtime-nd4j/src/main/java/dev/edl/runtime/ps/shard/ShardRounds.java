package dev.edl.runtime.ps.shard;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A shard's open round and the members that it may wait for. Used under the shard's lock.
 *
 * <p><b>Rounds.</b> An update averages the gradients of a round. A round ends when it holds {@link
 * Consistency#gradsToWait()} gradients, or when no member can still add one. That is the case when each member has
 * added to it or waits in {@code awaitRound} itself, at this shard or another one of its group. A member is a worker
 * that has joined and not left, so it holds a task. A join therefore enlarges the open round, and a leave may end it.
 * When the last member leaves, the accumulated gradients are applied. A worker that adds twice to one round counts
 * twice in the mean and once as a member. A worker that never joined counts in the mean only.
 *
 * <p><b>No deadlock.</b> Workers cannot wait for each other in a circle, in whatever order they join, leave and push at
 * the shards of a group: only members that wait for nothing keep a round open. Such a member computes or pushes;
 * neither waits for a round. It ends with a push to this shard or a leave. Each change that could end a round
 * is followed by a check: after a push and a leave under the shard's lock, and before a worker sleeps by the worker
 * itself at every shard.
 */
final class ShardRounds {
    private static final Round NONE = Round.over(Round.State.APPLIED);

    private final String shard;
    private final int gradsToWait;
    private final Map<String, RoundMember> members = new LinkedHashMap<>();
    private Round open = new Round();
    private Round ended = NONE;

    /**
     * Creates an empty round without members.
     *
     * @param shard name of the shard in messages
     */
    ShardRounds(String shard, int gradsToWait) {
        this.shard = shard;
        this.gradsToWait = gradsToWait;
    }

    Round open() {
        return open;
    }

    /** Returns whether the open round is not empty and is complete. */
    boolean full() {
        return open.full(gradsToWait, members.values());
    }

    /** Ends the open round with the given state and begins the next round. */
    void end(Round.State how) {
        open.end(how);
        ended = open;
        open = new Round();
    }

    /** Returns the round that has ended since the last call, whose workers the caller wakes once it holds no lock. */
    Round ended() {
        Round last = ended;
        ended = NONE;
        return last;
    }

    /** Adds a member. Returns whether it was not a member before. */
    boolean join(RoundMember member) {
        return members.putIfAbsent(member.name(), member) == null;
    }

    /** Removes a member. Returns whether it was a member. */
    boolean leave(String worker) {
        return members.remove(worker) != null;
    }

    /** Returns the members' names, in join order. */
    List<String> names() {
        return List.copyOf(members.keySet());
    }

    /**
     * Throws an exception that names the missing members if a round has not ended within a bound.
     *
     * @param version version of the shard, which does not change while the round is open
     */
    void requireEnded(Round awaited, Duration bound, long version) {
        if (awaited.state() == Round.State.OPEN) {
            throw new ShardTimeoutException("parameter shard " + shard + ": the round after version " + version
                    + " did not end within " + DurationText.of(bound) + "; it holds " + awaited.count() + " of "
                    + Math.min(gradsToWait, members.size()) + " gradients and waits for "
                    + String.join(", ", awaited.missing(members.values())));
        }
    }
}
