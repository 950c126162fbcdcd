package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.Optional;

/**
 * Where requests to scale a job come from, and where it is kept how far they are.
 *
 * <p>Called from one thread at a time. A call that throws is made again after a pause.
 */
public interface ScalerSource {
    /** The request to work on, if any; one that was begun until it has ended. {@link ScaleOrder} tells which comes first. */
    Optional<Scaler> next(Instant now);

    /** Keeps how far a request is, before anything is done for it. */
    void keep(Scaler scaler);

    /** Is told that the launcher has other hosts for a request, in the form {@code worker-0:1,worker-1:1}. */
    default void hostsWritten(Scaler scaler, String hosts) {}
}
