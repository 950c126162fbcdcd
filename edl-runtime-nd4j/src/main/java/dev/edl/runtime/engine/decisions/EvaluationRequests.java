package dev.edl.runtime.engine.decisions;

import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Versions for which an evaluation was requested. They arrive nearly in order, so only the newest are stored
 * individually; all versions up to the oldest of these count as requested. Immutable.
 */
public final class EvaluationRequests {
    static final EvaluationRequests NONE = new EvaluationRequests(-1, new TreeSet<>());

    private static final int KEPT = 256;

    private final long allUpTo;
    private final NavigableSet<Long> newest;

    EvaluationRequests(long allUpTo, NavigableSet<Long> newest) {
        this.allUpTo = allUpTo;
        this.newest = newest;
    }

    boolean contains(long version) {
        return version <= allUpTo || newest.contains(version);
    }

    EvaluationRequests with(long version) {
        if (contains(version)) {
            return this;
        }
        NavigableSet<Long> more = new TreeSet<>(newest);
        more.add(version);
        long upTo = allUpTo;
        while (more.size() > KEPT) {
            upTo = more.pollFirst();
        }
        return new EvaluationRequests(upTo, more);
    }

    EvaluationRequests without(long version) {
        NavigableSet<Long> fewer = new TreeSet<>(newest);
        fewer.remove(version);
        return new EvaluationRequests(allUpTo, fewer);
    }

    /** Returns a copy without the versions above {@code version}. */
    EvaluationRequests upTo(long version) {
        return new EvaluationRequests(Math.min(allUpTo, version), new TreeSet<>(newest.headSet(version, true)));
    }

    long allUpTo() {
        return allUpTo;
    }

    NavigableSet<Long> newest() {
        return newest;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EvaluationRequests requested
                && allUpTo == requested.allUpTo
                && newest.equals(requested.newest);
    }

    @Override
    public int hashCode() {
        return newest.hashCode() * 31 + Long.hashCode(allUpTo);
    }

    /** Returns text for people, for example {@code [20, 40]}. */
    @Override
    public String toString() {
        return (allUpTo < 0 ? "" : "all up to " + allUpTo + " and ") + newest;
    }
}
