package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Progress of a scaling request between two decisions of {@link ScaleDecider}, which the caller must persist.
 *
 * @param phase phase of the request
 * @param since time when scaling started; empty before
 * @param pods names of the workers to remove or add, which et-operator's status has as {@code toDeletePods} or
 *     {@code addPods}
 * @param message reason of the failure, or the result; empty before either
 */
public record ScaleState(ScalePhase phase, Optional<Instant> since, List<String> pods, String message) {
    /** Copies the list of pods. */
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
