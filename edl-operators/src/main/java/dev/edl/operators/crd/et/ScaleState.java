package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * State of a scaling request between two decisions, which must be persisted.
 *
 * @param phase of the request
 * @param since start of scaling; empty before
 * @param pods names of the workers to remove or add: {@code toDeletePods} and {@code addPods} of the operator
 * @param message reason of the failure, or the result; empty before
 */
public record ScaleState(ScalePhase phase, Optional<Instant> since, List<String> pods, String message) {
    /** Copies the list. */
    public ScaleState {
        pods = List.copyOf(pods);
    }

    /** Returns the state of a request that has not started. */
    public static ScaleState waiting() {
        return new ScaleState(ScalePhase.WAITING, Optional.empty(), List.of(), "");
    }

    static ScaleState scaling(Instant now, List<String> pods) {
        return new ScaleState(ScalePhase.SCALING, Optional.of(now), pods, "");
    }

    ScaleState to(ScalePhase next, String why) {
        return new ScaleState(next, since, pods, why);
    }

    /** Returns for example {@code SCALING [elastic-training-worker-1]}, or {@code FAILED [] why}. */
    @Override
    public String toString() {
        return phase + " " + pods + (message.isEmpty() ? "" : " " + message);
    }
}
