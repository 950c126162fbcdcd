package dev.edl.k8s;

import dev.edl.RoleType;
import dev.edl.reconcile.ObservedReplica;
import dev.edl.reconcile.ReplicaPhase;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

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
        return Optional.of(of(pod, RoleType.of(notes.get(ROLE)), Integer.parseInt(notes.get(ID))));
    }

    /** A pod, whoever made it, as a replica that it is known to be. */
    static ObservedReplica of(Pod pod, RoleType role, int id) {
        Optional<Instant> due =
                Optional.ofNullable(pod.getMetadata().getDeletionTimestamp()).map(Instant::parse);
        Optional<PodReason> reason = PodReason.of(pod);
        return new ObservedReplica(
                pod.getMetadata().getName(),
                role,
                id,
                phase(pod, reason),
                exitCode(pod),
                reason.map(PodReason::word),
                reason.flatMap(PodReason::message),
                due.isPresent(),
                due);
    }

    /** The id of a replica's pod. */
    static int id(Pod pod) {
        return Integer.parseInt(pod.getMetadata().getAnnotations().get(ID));
    }

    /** Whether the replica has begun to run, and so to write. */
    static boolean hasBegun(Pod pod) {
        return main(pod)
                .map(ContainerStatus::getState)
                .filter(state -> state.getRunning() != null || state.getTerminated() != null)
                .isPresent();
    }

    /** Whether the replica has ended, and so writes no more. */
    static boolean hasEnded(Pod pod) {
        return phase(pod, Optional.empty()).ended()
                || main(pod)
                        .map(ContainerStatus::getState)
                        .filter(state -> state.getTerminated() != null)
                        .isPresent();
    }

    private static ReplicaPhase phase(Pod pod, Optional<PodReason> reason) {
        String phase = pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? "Pending"
                : pod.getStatus().getPhase();
        return switch (phase) {
            case "Pending" ->
                reason.filter(PodReason::blocks).isPresent() ? ReplicaPhase.BLOCKED : ReplicaPhase.PENDING;
            case "Succeeded" -> ReplicaPhase.SUCCEEDED;
            case "Failed" -> PodReason.disrupted(pod) ? ReplicaPhase.DISRUPTED : ReplicaPhase.FAILED;
            // "Unknown" is said of a pod whose node is not heard of: it may run still.
            default -> ReplicaPhase.RUNNING;
        };
    }

    private static OptionalInt exitCode(Pod pod) {
        return main(pod)
                .map(ContainerStatus::getState)
                .map(ContainerState::getTerminated)
                .map(end -> OptionalInt.of(end.getExitCode()))
                .orElse(OptionalInt.empty());
    }

    /** The first container is the replica; the others are its sidecars. */
    static Optional<ContainerStatus> main(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null) {
            return Optional.empty();
        }
        String name = pod.getSpec().getContainers().get(0).getName();
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(name))
                .findFirst();
    }

    /** A list of Kubernetes' that may be missing. */
    static <T> List<T> list(@Nullable List<T> some) {
        return some == null ? List.of() : some;
    }
}
