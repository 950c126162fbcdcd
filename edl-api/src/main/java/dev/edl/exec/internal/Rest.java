package dev.edl.exec.internal;

import java.time.Duration;

/**
 * How long a loop leaves a large job alone between two looks at it. A look costs what the replicas cost that have changed or wait
 * for something, and where thousands of them start, that are many: what changes during the rest is looked at together. Whoever
 * makes a pass writes, another reads.
 */
public final class Rest {
    /** A look at fewer replicas takes less than a tenth of a millisecond. */
    public static final int LARGE = 100;

    /** Looks take a fifth of the time at most. */
    private static final int SHARE = 4;

    private static final Duration MOST = Duration.ofMillis(100);

    private volatile Duration next = Duration.ZERO;

    /** A look at so many replicas, and deciding what to do, took so long. */
    public void took(int replicas, Duration time) {
        Duration rest = time.multipliedBy(SHARE);
        next = replicas < LARGE ? Duration.ZERO : rest.compareTo(MOST) < 0 ? rest : MOST;
    }

    /** How long to rest after the last look; zero unless the job is large. */
    public Duration next() {
        return next;
    }
}
