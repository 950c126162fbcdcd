package dev.edl.operators.crd.et;

import dev.edl.status.ReplicaPhase;
import java.util.Objects;

/**
 * A worker's pod as it is seen.
 *
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param phase the pod's phase
 * @param attached whether the launcher still holds a process on it; {@link AttachedWorkers} tells
 */
public record SeenWorker(String namespace, String name, ReplicaPhase phase, boolean attached) {
    /** Checks that nothing is null. */
    public SeenWorker {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(phase, "phase");
    }
}
