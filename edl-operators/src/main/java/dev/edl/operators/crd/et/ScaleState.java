package dev.edl.operators.crd.et;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a request of scaling from one decision to the next; to be kept where it outlives the program.
 *
 * @param phase where it is
 * @param since when it began to scale; empty before
 * @param pods the workers that go or come, by name: {@code toDeletePods} and {@code addPods} of the operator
 * @param message why it failed, or what it did; empty before
 */
public record ScaleState(ScalePhase phase, Optional<Instant> since, List<String> pods, String message) {
    /** Copies the list. */
    public ScaleState {
        pods = List.copyOf(pods);
    }

    /** A request of which nothing was done yet. */
    public static ScaleState waiting() {
        return new ScaleState(ScalePhase.WAITING, Optional.empty(), List.of(), "");
    }

    static ScaleState scaling(Instant now, List<String> pods) {
        return new ScaleState(ScalePhase.SCALING, Optional.of(now), pods, "");
    }

    ScaleState to(ScalePhase next, String why) {
        return new ScaleState(next, since, pods, why);
    }

    /** For example {@code SCALING [elastic-training-worker-1]}, or {@code FAILED [] why}. */
    @Override
    public String toString() {
        return phase + " " + pods + (message.isEmpty() ? "" : " " + message);
    }
}
