package dev.edl.k8s.internal.pods;

import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps a pod to an observed replica. Pure. */
public final class PodMapper {
    /** Annotation with the role of a pod's replica. */
    static final String ROLE = "edl.dev/role";

    static final String ID = "edl.dev/replica-id";

    private PodMapper() {}

    /** Returns the replica of a pod that EDL created; empty for another pod. */
    static Optional<ObservedReplica> of(Pod pod) {
        Map<String, String> notes = pod.getMetadata().getAnnotations();
        if (notes == null || !notes.containsKey(ROLE) || !notes.containsKey(ID)) {
            return Optional.empty();
        }
        return Optional.of(of(pod, RoleType.of(notes.get(ROLE)), Integer.parseInt(notes.get(ID))));
    }

    /** Returns a pod, which EDL or an operator created, as the observed replica of this role and id. */
    public static ObservedReplica of(Pod pod, RoleType role, int id) {
        Optional<Instant> due =
                Optional.ofNullable(pod.getMetadata().getDeletionTimestamp()).map(Instant::parse);
        Optional<PodReason> reason = PodReason.of(pod);
        ObservedReplica replica = new ObservedReplica(
                pod.getMetadata().getName(),
                role,
                id,
                phase(pod, reason),
                exitCode(pod),
                reason.map(PodReason::word),
                reason.flatMap(PodReason::message),
                due.isPresent(),
                due);
        ObservedReplica seen = lingers(pod) ? replica.lingering() : replica;
        String uid = pod.getMetadata().getUid();
        return uid == null ? seen : seen.withUid(uid);
    }

    /**
     * Returns whether the replica has ended but a container beside it keeps the pod running. The node ends native
     * sidecars: init containers that always restart.
     */
    static boolean lingers(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        if (MainContainer.end(pod).isEmpty() || "Succeeded".equals(phase) || "Failed".equals(phase)) {
            return false;
        }
        Set<String> ended = list(pod.getStatus().getContainerStatuses()).stream()
                .filter(status -> status.getState() != null && status.getState().getTerminated() != null)
                .map(ContainerStatus::getName)
                .collect(Collectors.toSet());
        return pod.getSpec().getContainers().stream().anyMatch(container -> !ended.contains(container.getName()));
    }

    /** Returns the replica id of a pod. */
    public static int id(Pod pod) {
        return Integer.parseInt(pod.getMetadata().getAnnotations().get(ID));
    }

    /** Returns whether the replica has started, and so may have written logs. */
    public static boolean hasBegun(Pod pod) {
        return MainContainer.state(pod)
                .filter(state -> state.getRunning() != null || state.getTerminated() != null)
                .isPresent();
    }

    /** Returns whether the replica has ended, and so writes no more logs. */
    public static boolean hasEnded(Pod pod) {
        return phase(pod, Optional.empty()).ended();
    }

    /** Returns whether the pod cannot start with its spec, however long it waits. */
    public static boolean neverStarts(Pod pod) {
        return PodReason.of(pod).filter(PodReason::isFinal).isPresent();
    }

    private static ObservedPhase phase(Pod pod, Optional<PodReason> reason) {
        String phase = pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? "Pending"
                : pod.getStatus().getPhase();
        Optional<ContainerStateTerminated> end = MainContainer.end(pod);
        if ("Succeeded".equals(phase) || end.filter(e -> succeeded(pod, e)).isPresent()) {
            return ObservedPhase.SUCCEEDED;
        }
        if ("Failed".equals(phase) || end.isPresent()) {
            return PodReason.disrupted(pod) ? ObservedPhase.DISRUPTED : ObservedPhase.FAILED;
        }
        boolean runs = MainContainer.state(pod).map(ContainerState::getRunning).isPresent();
        if ("Pending".equals(phase) && !runs) {
            return reason.filter(PodReason::blocks).isPresent() ? ObservedPhase.BLOCKED : ObservedPhase.PENDING;
        }
        // Phase "Unknown" means an unreachable node: the containers may still run.
        return ObservedPhase.RUNNING;
    }

    /** Returns whether the process ended with 0 by itself; a later failure of the pod is a sidecar's. */
    private static boolean succeeded(Pod pod, ContainerStateTerminated end) {
        return end.getExitCode() == 0 && !PodReason.interrupted(pod);
    }

    private static OptionalInt exitCode(Pod pod) {
        return MainContainer.state(pod)
                .map(ContainerState::getTerminated)
                .map(end -> OptionalInt.of(end.getExitCode()))
                .orElse(OptionalInt.empty());
    }

    /** Returns the list, or an empty one for null. */
    public static <T> List<T> list(@Nullable List<T> some) {
        return some == null ? List.of() : some;
    }
}
