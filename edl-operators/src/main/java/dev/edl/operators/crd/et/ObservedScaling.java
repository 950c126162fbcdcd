package dev.edl.operators.crd.et;

import dev.edl.env.HorovodHosts;
import java.util.List;
import java.util.Objects;

/**
 * Observed workers and hosts of a job, from which {@link ScaleDecider} decides the next step.
 *
 * @param workers observed pods of workers; those of other namespaces and jobs are ignored
 * @param hosts hosts in the launcher's current hosts file
 */
public record ObservedScaling(List<ObservedWorker> workers, HorovodHosts hosts) {
    /** Copies the list of workers. */
    public ObservedScaling {
        workers = List.copyOf(workers);
        Objects.requireNonNull(hosts, "hosts");
    }
}
