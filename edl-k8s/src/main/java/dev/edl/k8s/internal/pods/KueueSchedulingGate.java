package dev.edl.k8s.internal.pods;

import dev.edl.k8s.render.internal.KueueMetadata;
import io.fabric8.kubernetes.api.model.Pod;

/** Kueue's scheduling gate, by which a pod waits for its admission. */
final class KueueSchedulingGate {
    private KueueSchedulingGate() {}

    /** Returns whether a pod waits for Kueue to admit it. */
    static boolean gated(Pod pod) {
        return pod.getSpec() != null
                && PodMapper.list(pod.getSpec().getSchedulingGates()).stream()
                        .anyMatch(gate -> "kueue.x-k8s.io/admission".equals(gate.getName()));
    }

    /** Returns the reason that the pod alone has. */
    static String queue(Pod pod) {
        return "it waits for Kueue to admit it from queue \""
                + pod.getMetadata().getLabels().getOrDefault(KueueMetadata.QUEUE, "") + "\"";
    }
}
