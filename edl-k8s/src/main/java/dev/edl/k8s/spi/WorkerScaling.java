package dev.edl.k8s.spi;

import dev.edl.exec.ControlLoop;
import java.time.Duration;
import java.util.Optional;

/** How a running job gets another number of replicas. One for each run; thread-safe. */
public interface WorkerScaling extends AutoCloseable {
    /**
     * Changes how many replicas a role has; returns at once.
     *
     * @param role the role's word, {@code worker}
     * @param replicas within the role's elastic bounds
     * @param limit how long the change may take; empty for the default of this scaling
     * @throws IllegalArgumentException for another number, and for a limit where nothing is waited for
     * @throws IllegalStateException when it is closed
     */
    void scale(String role, int replicas, Optional<Duration> limit);

    /** Ends what it does for the run, and keeps what was asked for last; called before the run's loop is closed. */
    @Override
    void close();

    /** Returns the scaling of a job whose replicas come and go at once: its loop's own. */
    static WorkerScaling direct(ControlLoop loop) {
        return new DirectScaling(loop);
    }
}
