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
    static LoopSettings of(KubernetesExecutorBuilder builder) {
        return new LoopSettings(builder.retry, builder.unreachable);
    }

    ControlLoopBuilder on(ControlLoopBuilder loop) {
        unreachable.ifPresent(loop::unreachableTimeout);
        return loop.retry(retry);
    }
}
