package dev.edl.runtime.ps.shard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Gradients that a shard collects for its next update. Everything except {@link #state()} and {@link #wake()} is used
 * under the shard's lock.
 */
final class Round {
    enum State {
        /** Waits for gradients. */
        OPEN,
        /** The round's update was made. */
        APPLIED,
        /** The round's shard was restored or retired, so the round made no update. */
        LOST
    }

    private final Set<Long> pushes = new LinkedHashSet<>();
    private final Set<String> contributors = new HashSet<>();
    private final List<RoundWait> waiting = new ArrayList<>();
    private int gradients;
    private long staleness;
    private volatile State state = State.OPEN;

    /** Creates a round that has ended. */
    static Round over(State state) {
        Round round = new Round();
        round.state = state;
        return round;
    }

    State state() {
        return state;
    }

    void add(String worker, long pushId, long pushStaleness) {
        pushes.add(pushId);
        gradients++;
        staleness = Math.max(staleness, pushStaleness);
        contributors.add(worker);
    }

    boolean holds(long pushId) {
        return pushes.contains(pushId);
    }

    /** Returns the greatest staleness of the round's gradients. */
    long staleness() {
        return staleness;
    }

    /** Adds the pending pushes of a snapshot and the greatest staleness of their gradients. */
    void restore(Collection<Long> pending, long pendingStaleness) {
        pushes.addAll(pending);
        gradients = pushes.size();
        staleness = pendingStaleness;
    }

    Set<Long> pushes() {
        return pushes;
    }

    int count() {
        return pushes.size();
    }

    /** Returns how many gradients were added, a repeated push included. */
    int gradients() {
        return gradients;
    }

    /**
     * Returns whether the round is complete: it has enough gradients, or no member can still add one, because each has
     * added a gradient or waits for a round itself.
     */
    boolean full(int gradsToWait, Collection<RoundMember> members) {
        if (count() == 0) {
            return false;
        }
        if (count() < gradsToWait) {
            for (RoundMember member : members) {
                if (awaits(member)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the members that the round waits for. */
    List<String> missing(Collection<RoundMember> members) {
        return members.stream()
                .filter(this::awaits)
                .map(RoundMember::name)
                .sorted()
                .toList();
    }

    private boolean awaits(RoundMember member) {
        return !contributors.contains(member.name()) && !member.waiting();
    }

    /** Adds a wait to this open round. */
    void enter(RoundWait wait) {
        waiting.add(wait);
        wait.roundEntered();
    }

    /** Removes a wait from this round, unless the round has ended. */
    void withdraw(RoundWait wait) {
        if (state == State.OPEN && waiting.remove(wait)) {
            wait.member().exit();
        }
    }

    /** Ends the round. No round may end without a member that computes, so the counts fall before the state is seen. */
    void end(State how) {
        waiting.forEach(wait -> wait.member().exit());
        state = how;
    }

    /** Wakes the waiting workers of this round, which has ended. The thread that ended it calls it without the lock. */
    void wake() {
        if (waiting.isEmpty()) {
            // Every asynchronous push ends a round without waits, and the functions below would cost it memory.
            return;
        }
        waiting.forEach(wait -> wait.roundEnded(state));
        // A thread that is not parked continues before the system calls for the others.
        waiting.forEach(RoundWait::unpark);
    }
}
