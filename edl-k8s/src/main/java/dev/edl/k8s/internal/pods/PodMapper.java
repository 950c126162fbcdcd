package dev.edl.k8s.internal.pods;

import dev.edl.RoleType;
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

/** A pod as the core sees a replica. Pure. */
public final class PodMapper {
    /** Annotations by which a pod tells which replica it is. */
    static final String ROLE = "edl.dev/role";

    static final String ID = "edl.dev/replica-id";

    private PodMapper() {}

    /** The replica of a pod that was made by EDL; empty for another one. */
    static Optional<ObservedReplica> of(Pod pod) {
        Map<String, String> notes = pod.getMetadata().getAnnotations();
        if (notes == null || !notes.containsKey(ROLE) || !notes.containsKey(ID)) {
            return Optional.empty();
        }
        return Optional.of(of(pod, RoleType.of(notes.get(ROLE)), Integer.parseInt(notes.get(ID))));
    }

    /** A pod of any creator as a replica that it is known to be. */
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
     * Whether the replica has ended and its pod has not, for a container beside it. A sidecar that Kubernetes knows as one (an init
     * container that is always restarted) is ended by the node.
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

    /** The id of a replica's pod. */
    public static int id(Pod pod) {
        return Integer.parseInt(pod.getMetadata().getAnnotations().get(ID));
    }

    /** Whether the replica has begun to run, and so to write. */
    public static boolean hasBegun(Pod pod) {
        return MainContainer.state(pod)
                .filter(state -> state.getRunning() != null || state.getTerminated() != null)
                .isPresent();
    }

    /** Whether the replica has ended, and so writes no more. */
    public static boolean hasEnded(Pod pod) {
        return phase(pod, Optional.empty()).ended();
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
        // "Unknown" is said of a pod whose node is silent: its containers may still run.
        return ObservedPhase.RUNNING;
    }

    /** Whether the process ended with 0 by itself: what its pod fails of afterwards is a sidecar's. */
    private static boolean succeeded(Pod pod, ContainerStateTerminated end) {
        return end.getExitCode() == 0 && !PodReason.interrupted(pod);
    }

    private static OptionalInt exitCode(Pod pod) {
        return MainContainer.state(pod)
                .map(ContainerState::getTerminated)
                .map(end -> OptionalInt.of(end.getExitCode()))
                .orElse(OptionalInt.empty());
    }

    /** A list of Kubernetes' that may be missing. */
    public static <T> List<T> list(@Nullable List<T> some) {
        return some == null ? List.of() : some;
    }
}
