package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.Optional;

/**
 * Source of a job's scaling requests, which also persists their progress.
 *
 * <p>Called from one thread at a time. A call that throws is repeated after a pause.
 */
public interface ScalerSource {
    /**
     * Returns the request to work on, if any. A started request is returned until it has ended. {@link ScaleOrder}
     * determines the order.
     */
    Optional<Scaler> next(Instant now);

    /** Persists the progress of a request, before its actions are applied. */
    void keep(Scaler scaler);

    /** Reports that the launcher's hosts changed for a request, in the form {@code worker-0:1,worker-1:1}. */
    default void hostsWritten(Scaler scaler, String hosts) {}
}
