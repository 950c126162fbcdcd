package dev.edl.k8s.spi;

import dev.edl.exec.ControlLoop;
import java.time.Duration;
import java.util.Optional;

/** Way of scaling one run: changes the number of replicas of a running job. Thread-safe. */
public interface WorkerScaling extends AutoCloseable {
    /**
     * Changes the number of replicas of a role; returns at once.
     *
     * @param role the role's name, {@code worker}
     * @param replicas within the role's elastic bounds
     * @param limit longest duration of the change; empty for the default of this way of scaling
     * @throws IllegalArgumentException when the number is outside the role's elastic bounds, or when scaling is direct
     *     and a limit is set
     * @throws IllegalStateException when this scaling is closed
     */
    void scale(String role, int replicas, Optional<Duration> limit);

    /** Returns whether the job's state has the requested number as soon as {@link #scale} is applied. */
    default boolean direct() {
        return false;
    }

    /**
     * Stops scaling the run; the last requested number of replicas stays in effect. Called before the run's control
     * loop is closed.
     */
    @Override
    void close();

    /** Returns direct scaling by the control loop, for a job whose replicas are created and deleted immediately. */
    static WorkerScaling direct(ControlLoop loop) {
        return new DirectScaling(loop);
    }
}
