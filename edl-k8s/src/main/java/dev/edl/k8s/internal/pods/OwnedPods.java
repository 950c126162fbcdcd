package dev.edl.k8s.internal.pods;

import dev.edl.reconcile.JobObservation;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Pods of the replicas of one job, for a program that may not drive the job. Immutable.
 *
 * @param pods pods of replicas that the job's record owns
 */
public record OwnedPods(List<Pod> pods) {
    /**
     * Returns those of the pods that are the job's replicas.
     *
     * @param record uid of the job's record
     */
    public static OwnedPods of(String record, Collection<Pod> pods) {
        return new OwnedPods(pods.stream()
                .filter(pod -> owned(pod, record) && PodMapper.of(pod).isPresent())
                .toList());
    }

    /** Returns whether the job's record owns a pod. */
    static boolean owned(Pod pod, String record) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference -> reference.getUid().equals(record));
    }

    /** Returns the current state of a pod; empty when it is gone. */
    public Optional<Pod> now(Pod pod) {
        return pods.stream()
                .filter(there ->
                        there.getMetadata().getUid().equals(pod.getMetadata().getUid()))
                .findFirst();
    }

    /** Returns the replicas that the pods are. */
    public JobObservation observed() {
        return JobObservation.nothing()
                .with(pods.stream().flatMap(pod -> PodMapper.of(pod).stream()).toList(), List.of());
    }
}
