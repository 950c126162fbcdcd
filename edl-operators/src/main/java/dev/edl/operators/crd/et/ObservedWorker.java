package dev.edl.operators.crd.et;

import dev.edl.status.ObservedPhase;
import java.util.Objects;

/**
 * Observed pod of a worker.
 *
 * @param namespace the pod's namespace
 * @param name the pod's name
 * @param phase the pod's phase
 * @param attached whether the launcher still has a process on the worker; see {@link AttachedWorkers}
 */
public record ObservedWorker(String namespace, String name, ObservedPhase phase, boolean attached) {
    /** Checks that no component is null. */
    public ObservedWorker {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(phase, "phase");
    }
}
