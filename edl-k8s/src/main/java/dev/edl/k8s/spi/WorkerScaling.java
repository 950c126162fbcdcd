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
     * @param limit for the change; empty for the default of this scaling
     * @throws IllegalArgumentException for another number, and for a limit if scaling is direct
     * @throws IllegalStateException when it is closed
     */
    void scale(String role, int replicas, Optional<Duration> limit);

    /** Stops scaling the run, and keeps the last request. Called before the run's control loop is closed. */
    @Override
    void close();

    /** Returns direct scaling by the control loop, for a job whose replicas are created and deleted immediately. */
    static WorkerScaling direct(ControlLoop loop) {
        return new DirectScaling(loop);
    }
}
