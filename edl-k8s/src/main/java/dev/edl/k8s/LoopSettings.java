package dev.edl.k8s;

import dev.edl.exec.ControlLoopBuilder;
import dev.edl.exec.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * How the loops of an executor's jobs bear trouble of the cluster.
 *
 * @param retry the pauses before a failed request is repeated
 * @param unreachable how long the cluster may be unreachable; empty for no limit
 */
record LoopSettings(RetryPolicy retry, Optional<Duration> unreachable) {
    /** How much later the record may have what anybody sees on the cluster: that a pod runs, that one is gone. */
    private static final Duration SEEN_LAG = Duration.ofSeconds(5);

    static LoopSettings of(KubernetesExecutorBuilder builder) {
        return new LoopSettings(builder.retry, builder.unreachable);
    }

    ControlLoopBuilder on(ControlLoopBuilder loop, JobRecord record) {
        unreachable.ifPresent(loop::unreachableTimeout);
        return loop.retry(retry).journal(record::save, SEEN_LAG);
    }
}
