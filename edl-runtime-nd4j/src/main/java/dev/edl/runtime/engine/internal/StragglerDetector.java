package dev.edl.runtime.engine.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Finds workers that hold up the rounds of synchronous training.
 *
 * <p>A worker is late when it is silent for the round timeout, or for three times the duration of its last minibatch,
 * whichever is longer; a slow model is not a hang. Its lease has a separate, longer bound. A late worker is removed
 * from the rounds and rejoins with its next minibatch.
 *
 * <p>Times are arguments, in nanoseconds of one clock. Thread-safe; one worker's calls come from one thread.
 */
public final class StragglerDetector {
    private static final int MINIBATCHES = 3;

    private final long bound;
    private final Map<String, Work> works = new ConcurrentHashMap<>();

    /** State of one worker. */
    private static final class Work {
        private volatile long since;
        private volatile boolean waits;
        private volatile long pace;
        private volatile boolean out = true;
    }

    public StragglerDetector(Duration bound) {
        this.bound = bound.toNanos();
    }

    /**
     * Records that a worker begins or continues a minibatch. Returns true if the worker is not in the rounds, so that
     * the caller must join it to them.
     */
    public boolean begins(String worker, long now) {
        Work work = works.computeIfAbsent(worker, name -> new Work());
        counts(work, now);
        boolean was = work.out;
        work.out = false;
        return was;
    }

    /** Records that a worker has computed the gradient of its minibatch. */
    public void computed(String worker, long now) {
        Work work = works.get(worker);
        if (work != null) {
            work.pace = Math.max(1, now - work.since);
            counts(work, now);
        }
    }

    /** Records that a worker waits for a round, so that no round waits for it. */
    public void waits(String worker) {
        Work work = works.get(worker);
        if (work != null) {
            work.waits = true;
        }
    }

    /** Records that a worker's wait for a round is over. */
    public void goesOn(String worker, long now) {
        Work work = works.get(worker);
        if (work != null) {
            counts(work, now);
        }
    }

    private static void counts(Work work, long now) {
        work.since = now;
        work.waits = false;
    }

    /** Records that a worker has left the rounds by itself. */
    public void left(String worker) {
        works.remove(worker);
    }

    /** Returns the workers that are late and in the rounds; none until a worker has done a minibatch. */
    public List<String> late(long now) {
        long known = works.values().stream().mapToLong(work -> work.pace).max().orElse(0);
        return works.entrySet().stream()
                .filter(each -> isLate(each.getValue(), known, now))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Returns the workers that are late, in the rounds or removed from them. */
    public Set<String> silent(long now) {
        long known = works.values().stream().mapToLong(work -> work.pace).max().orElse(0);
        return works.entrySet().stream()
                .filter(each -> isSilent(each.getValue(), known, now))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private boolean isLate(Work work, long known, long now) {
        return !work.out && isSilent(work, known, now);
    }

    private boolean isSilent(Work work, long known, long now) {
        // A worker's first minibatch has no known pace; the slowest of the other workers is the best estimate.
        long pace = work.pace > 0 ? work.pace : known;
        return pace > 0 && !work.waits && now - work.since > Math.max(bound, MINIBATCHES * pace);
    }

    /**
     * Records that a worker was removed from the rounds. Call it after the removal; otherwise the worker could rejoin
     * before it.
     */
    public void takenOut(String worker) {
        Work work = works.get(worker);
        if (work != null) {
            work.out = true;
        }
    }
}
