package dev.edl.operators.crd.et;

import dev.edl.env.HorovodHosts;
import java.util.List;
import java.util.Objects;

/**
 * A job as it is seen when its workers are scaled.
 *
 * @param workers the pods of workers; those of other namespaces and jobs do not count
 * @param hosts the hosts file of the launcher as it stands
 */
public record ObservedScaling(List<ObservedWorker> workers, HorovodHosts hosts) {
    /** Copies the list. */
    public ObservedScaling {
        workers = List.copyOf(workers);
        Objects.requireNonNull(hosts, "hosts");
    }
}
