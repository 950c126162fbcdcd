package dev.edl.runtime.engine.decisions;

import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The versions that an evaluation was asked for. They come nearly in order, so the newest are kept one by one, and all versions up
 * to the oldest of these count as asked for. Immutable.
 */
public final class Asked {
    static final Asked NONE = new Asked(-1, new TreeSet<>());

    private static final int KEPT = 256;

    private final long allUpTo;
    private final NavigableSet<Long> newest;

    Asked(long allUpTo, NavigableSet<Long> newest) {
        this.allUpTo = allUpTo;
        this.newest = newest;
    }

    boolean contains(long version) {
        return version <= allUpTo || newest.contains(version);
    }

    Asked with(long version) {
        if (contains(version)) {
            return this;
        }
        NavigableSet<Long> more = new TreeSet<>(newest);
        more.add(version);
        long upTo = allUpTo;
        while (more.size() > KEPT) {
            upTo = more.pollFirst();
        }
        return new Asked(upTo, more);
    }

    Asked without(long version) {
        NavigableSet<Long> fewer = new TreeSet<>(newest);
        fewer.remove(version);
        return new Asked(allUpTo, fewer);
    }

    /** Returns those up to a version. */
    Asked upTo(long version) {
        return new Asked(Math.min(allUpTo, version), new TreeSet<>(newest.headSet(version, true)));
    }

    long allUpTo() {
        return allUpTo;
    }

    NavigableSet<Long> newest() {
        return newest;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Asked asked && allUpTo == asked.allUpTo && newest.equals(asked.newest);
    }

    @Override
    public int hashCode() {
        return newest.hashCode() * 31 + Long.hashCode(allUpTo);
    }

    /** Returns the text for people, for example {@code [20, 40]}. */
    @Override
    public String toString() {
        return (allUpTo < 0 ? "" : "all up to " + allUpTo + " and ") + newest;
    }
}
