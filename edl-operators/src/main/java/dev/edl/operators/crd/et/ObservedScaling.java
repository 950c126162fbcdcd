package dev.edl.operators.crd.et;

import dev.edl.env.HorovodHosts;
import java.util.List;
import java.util.Objects;

/**
 * Observation of a job whose workers are scaled.
 *
 * @param workers pods of workers; pods of other namespaces and jobs are ignored
 * @param hosts the launcher's current hosts file
 */
public record ObservedScaling(List<ObservedWorker> workers, HorovodHosts hosts) {
    /** Copies the list. */
    public ObservedScaling {
        workers = List.copyOf(workers);
        Objects.requireNonNull(hosts, "hosts");
    }
}
