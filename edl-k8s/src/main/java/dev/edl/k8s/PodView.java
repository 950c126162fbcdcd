package dev.edl.k8s;

import dev.edl.RoleType;
import dev.edl.reconcile.ObservedReplica;
import dev.edl.reconcile.ReplicaPhase;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** A pod as the core sees a replica. Pure. */
final class PodView {
    /** Annotations by which a pod tells which replica it is. */
    static final String ROLE = "edl.dev/role";

    static final String ID = "edl.dev/replica-id";

    private PodView() {}

    /** The replica of a pod that was made by EDL; empty for another one. */
    static Optional<ObservedReplica> of(Pod pod) {
        Map<String, String> notes = pod.getMetadata().getAnnotations();
        if (notes == null || !notes.containsKey(ROLE) || !notes.containsKey(ID)) {
            return Optional.empty();
        }
        Optional<ContainerStateTerminated> end = main(pod)
                .map(status ->
                        status.getState() == null ? null : status.getState().getTerminated());
        return Optional.of(new ObservedReplica(
                pod.getMetadata().getName(),
                RoleType.of(notes.get(ROLE)),
                Integer.parseInt(notes.get(ID)),
                phase(pod),
                end.map(ended -> OptionalInt.of(ended.getExitCode())).orElse(OptionalInt.empty()),
                reason(pod, end),
                pod.getMetadata().getDeletionTimestamp() != null));
    }

    private static ReplicaPhase phase(Pod pod) {
        String phase = pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? "Pending"
                : pod.getStatus().getPhase();
        return switch (phase) {
            case "Pending" -> ReplicaPhase.PENDING;
            case "Succeeded" -> ReplicaPhase.SUCCEEDED;
            case "Failed" -> ReplicaPhase.FAILED;
            // "Unknown" is said of a pod whose node is not heard of: it may run still.
            default -> ReplicaPhase.RUNNING;
        };
    }

    /** The first container is the replica; the others are its sidecars. */
    private static Optional<ContainerStatus> main(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null) {
            return Optional.empty();
        }
        String name = pod.getSpec().getContainers().get(0).getName();
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(name))
                .findFirst();
    }

    /**
     * Why the pod is in its phase: what was done to it from outside (Evicted, PreemptionByScheduler …), how its container ended,
     * what it waits for, why no node takes it.
     */
    private static Optional<String> reason(Pod pod, Optional<ContainerStateTerminated> end) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        List<PodCondition> conditions =
                Optional.ofNullable(pod.getStatus().getConditions()).orElse(List.of());
        Optional<String> killed = end.map(ContainerStateTerminated::getReason).filter("OOMKilled"::equals);
        return Stream.of(
                        killed,
                        Optional.ofNullable(pod.getStatus().getReason()),
                        condition(conditions, "DisruptionTarget", "True").map(PodCondition::getReason),
                        end.map(ContainerStateTerminated::getReason),
                        main(pod)
                                .map(status -> status.getState() == null
                                        ? null
                                        : status.getState().getWaiting())
                                .map(waiting -> waiting.getReason()),
                        condition(conditions, "PodScheduled", "False").map(PodCondition::getReason))
                .flatMap(Optional::stream)
                .filter(reason -> !reason.isEmpty() && !reason.equals("Completed"))
                .findFirst();
    }

    private static Optional<PodCondition> condition(List<PodCondition> conditions, String type, String status) {
        return conditions.stream()
                .filter(c -> c.getType().equals(type) && c.getStatus().equals(status))
                .findFirst();
    }
}
