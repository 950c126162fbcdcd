package dev.edl.exec.internal;

import java.time.Duration;

/**
 * Pause between two observations of a large job. An observation costs time for each replica that has changed or waits,
 * and thousands of them may start at once. All changes of one pause are handled together. The thread that makes a pass
 * sets the pause; another thread may read it.
 */
public final class PassThrottle {
    /** Number of replicas from which on a pass is throttled; with fewer it takes less than a tenth of a millisecond. */
    public static final int LARGE = 100;

    /** Ratio of pause to pass: passes take at most a fifth of the time. */
    private static final int SHARE = 4;

    private static final Duration MOST = Duration.ofMillis(100);

    private volatile Duration pause = Duration.ZERO;

    /** Records the number of replicas and the time of observing and deciding. */
    public void recordPass(int replicas, Duration time) {
        Duration rest = time.multipliedBy(SHARE);
        pause = replicas < LARGE ? Duration.ZERO : rest.compareTo(MOST) < 0 ? rest : MOST;
    }

    /** Returns the pause after the last pass; zero unless the job is large. */
    public Duration pause() {
        return pause;
    }
}
