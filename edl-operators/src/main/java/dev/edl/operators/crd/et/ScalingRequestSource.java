package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.Optional;

/**
 * Source of a job's scaling requests, which also persists their progress.
 *
 * <p>The scaling thread calls it from one thread at a time, and repeats a call that has thrown after a pause.
 */
public interface ScalingRequestSource {
    /**
     * Returns the request to carry out; empty when there is none. Returns a started request until it has ended.
     * Implementations may use a {@link ScaleOrder} to choose the next one.
     */
    Optional<Scaler> next(Instant now);

    /** Persists the progress of a request, before its actions are applied. */
    void keep(Scaler scaler);

    /**
     * Reports that the launcher's hosts were written for a request. Does nothing by default.
     *
     * @param hosts the new hosts, such as {@code worker-0:1,worker-1:1}
     */
    default void hostsWritten(Scaler scaler, String hosts) {}
}
