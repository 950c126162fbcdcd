package dev.edl.runtime.engine.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which workers hold up the rounds of synchronous training for too long. A worker is late when it shows no sign of life for
 * the round timeout, or for three times what its last minibatch took, whichever is longer: a slow model is no hanging one. Its
 * lease has a longer bound of its own. A late worker is taken out of the rounds and takes part again with its next minibatch.
 *
 * <p>Times are arguments, in nanoseconds of one clock. Thread-safe; one worker's calls come from one thread.
 */
public final class StragglerDetector {
    private static final int MINIBATCHES = 3;

    private final long bound;
    private final Map<String, Work> works = new ConcurrentHashMap<>();

    /** What is known of one worker. */
    private static final class Work {
        private volatile long since;
        private volatile boolean waits;
        private volatile long pace;
        private volatile boolean out = true;
    }

    public StragglerDetector(Duration bound) {
        this.bound = bound.toNanos();
    }

    /** A worker begins or continues a minibatch; returns whether it is not in the rounds and has to join. */
    public boolean begins(String worker, long now) {
        Work work = works.computeIfAbsent(worker, name -> new Work());
        counts(work, now);
        boolean was = work.out;
        work.out = false;
        return was;
    }

    /** A worker has the gradient of the minibatch that it began. */
    public void computed(String worker, long now) {
        Work work = works.get(worker);
        if (work != null) {
            work.pace = Math.max(1, now - work.since);
            counts(work, now);
        }
    }

    /** A worker waits for a round itself, so no round waits for it. */
    public void waits(String worker) {
        Work work = works.get(worker);
        if (work != null) {
            work.waits = true;
        }
    }

    /** A round that a worker waited for is over. */
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

    /** A worker has left the rounds by itself. */
    public void left(String worker) {
        works.remove(worker);
    }

    /** Returns the workers that are late and in the rounds; none as long as no worker has done a minibatch. */
    public List<String> late(long now) {
        long known = works.values().stream().mapToLong(work -> work.pace).max().orElse(0);
        return works.entrySet().stream()
                .filter(each -> isLate(each.getValue(), known, now))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private boolean isLate(Work work, long known, long now) {
        // The first minibatch of a worker has no pace yet; the slowest of the others is the best guess.
        long pace = work.pace > 0 ? work.pace : known;
        return pace > 0 && !work.out && !work.waits && now - work.since > Math.max(bound, MINIBATCHES * pace);
    }

    /** A worker was taken out of the rounds. Only behind that, or it could join again before it has left. */
    public void takenOut(String worker) {
        Work work = works.get(worker);
        if (work != null) {
            work.out = true;
        }
    }
}
