package dev.edl.exec.internal;

import java.time.Duration;

/**
 * The pause between two observations of a large job. An observation costs time for each replica that has changed or waits, and
 * thousands of them may start at once. All changes of one pause are handled together. The thread that makes a pass sets the
 * pause; another thread may read it.
 */
public final class PassThrottle {
    /** A look at fewer replicas takes less than a tenth of a millisecond. */
    public static final int LARGE = 100;

    /** Looks take a fifth of the time at most. */
    private static final int SHARE = 4;

    private static final Duration MOST = Duration.ofMillis(100);

    private volatile Duration pause = Duration.ZERO;

    /** A look at so many replicas, and deciding what to do, took so long. */
    public void recordPass(int replicas, Duration time) {
        Duration rest = time.multipliedBy(SHARE);
        pause = replicas < LARGE ? Duration.ZERO : rest.compareTo(MOST) < 0 ? rest : MOST;
    }

    /** How long to rest after the last look; zero unless the job is large. */
    public Duration pause() {
        return pause;
    }
}
