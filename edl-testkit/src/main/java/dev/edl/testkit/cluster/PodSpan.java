package dev.edl.testkit.cluster;

import java.time.Instant;
import java.util.Optional;

/**
 * Period in which one pod of a {@link SimulatedCluster} had its node.
 *
 * @param pod its name
 * @param job the job whose replica it is; empty for a pod of a deployment
 * @param node its node
 * @param from when it got the node
 * @param until when it ended or was removed; empty while it has the node
 * @param end how it ended: {@code Preempted}, {@code NodeLost}, {@code OOMKilled}, {@code exit code 1},
 *     {@code deleted}; empty while it has the node
 */
public record PodSpan(
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
