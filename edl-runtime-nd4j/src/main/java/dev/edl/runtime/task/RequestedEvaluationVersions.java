package dev.edl.runtime.task;

import java.util.TreeSet;

/**
 * Model versions for which an evaluation was requested. They arrive nearly in order, so only the newest are stored
 * individually; all versions up to the oldest of these count as requested.
 */
final class RequestedEvaluationVersions {
    private static final int KEPT = 256;
    private static final long NONE = -1;

    private final TreeSet<Long> newest = new TreeSet<>();
    private long allUpTo = NONE;

    void add(long version) {
        newest.add(version);
        if (newest.size() > KEPT) {
            allUpTo = newest.pollFirst();
        }
    }

    boolean contains(long version) {
        return version <= allUpTo || newest.contains(version);
    }
}
