package dev.edl.testkit.cluster;

import java.time.Instant;
import java.util.Optional;

/**
 * Period in which one pod of a {@link SimulatedCluster} had its node.
 *
 * @param pod name of the pod
 * @param job name of the job whose replica the pod is; empty for a pod of a deployment
 * @param node name of the pod's node
 * @param from time at which the pod got the node
 * @param until time at which the pod ended or was removed; empty while it has the node
 * @param end reason for the end of the pod: {@code Preempted}, {@code NodeLost}, {@code OOMKilled},
 *     {@code exit code 1}, {@code deleted}; empty while it has the node
 */
public record PodPlacementPeriod(
        String pod, Optional<String> job, String node, Instant from, Optional<Instant> until, String end) {
    /**
     * Returns, for example, {@code elasticdl-mnist-worker-0 on node-1 from 2026-01-01T00:00:00Z to
     * 2026-01-01T00:00:51Z: Preempted}.
     */
    @Override
    public String toString() {
        return pod + " on " + node + " from " + from
                + until.map(end -> " to " + end + ": " + this.end).orElse("");
    }
}
