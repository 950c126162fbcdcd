package dev.edl.exec.internal;

import java.time.Duration;

/**
 * Pause after each pass of a large job. An observation costs time for each replica that has changed or waits, and
 * thousands of replicas may start at once. The next pass handles all changes during the pause together. The thread that
 * makes a pass sets the pause; another thread may read it.
 */
public final class PassThrottle {
    /**
     * Number of replicas from which on passes have pauses; a pass over fewer takes less than a tenth of a millisecond.
     */
    public static final int LARGE = 100;

    /**
     * Factor by which a pause is longer than its pass, so that passes take a fifth of the time; more if the pause is
     * {@link #MOST}.
     */
    private static final int SHARE = 4;

    private static final Duration MOST = Duration.ofMillis(100);

    private volatile Duration pause = Duration.ZERO;

    /**
     * Sets the pause after a pass.
     *
     * @param replicas the number of observed replicas
     * @param time the time that observing and deciding took
     */
    public void recordPass(int replicas, Duration time) {
        Duration rest = time.multipliedBy(SHARE);
        pause = replicas < LARGE ? Duration.ZERO : rest.compareTo(MOST) < 0 ? rest : MOST;
    }

    /** Returns the pause after the last pass; zero unless the job is large. */
    public Duration pause() {
        return pause;
    }
}
