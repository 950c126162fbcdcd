package dev.edl.runtime.task.internal;

import java.util.TreeSet;

/**
 * The model versions that an evaluation was asked for. They come nearly in order, so the newest are kept one by one, and all
 * versions up to the oldest of these count as asked for.
 */
public final class RequestedVersionSet {
    private static final int KEPT = 256;
    private static final long NONE = -1;

    private final TreeSet<Long> newest = new TreeSet<>();
    private long allUpTo = NONE;

    public void add(long version) {
        newest.add(version);
        if (newest.size() > KEPT) {
            allUpTo = newest.pollFirst();
        }
    }

    public boolean contains(long version) {
        return version <= allUpTo || newest.contains(version);
    }
}
