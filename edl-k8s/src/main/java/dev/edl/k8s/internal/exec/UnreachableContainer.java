package dev.edl.k8s.internal.exec;

import dev.edl.k8s.exec.ExecException.Reason;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reason why a container can no longer be reached.
 *
 * @param reason the reason
 * @param describe the reason for people
 */
public record UnreachableContainer(Reason reason, String describe) {
    /**
     * Returns why a command in a container cannot continue; empty while the container runs and its node is reachable.
     *
     * @param pod last known state of the pod; null when it is gone
     * @param uid uid of the pod in which the command started; a pod of the same name with another uid is a different
     *     one
     */
    public static Optional<UnreachableContainer> stops(@Nullable Pod pod, String uid, String container) {
        if (pod == null || !pod.getMetadata().getUid().equals(uid)) {
            return Optional.of(new UnreachableContainer(Reason.POD_GONE, "the pod is gone"));
        }
        boolean leaving = pod.getMetadata().getDeletionTimestamp() != null;
        Optional<ContainerState> state = state(pod, container);
        if (state.isEmpty() || state.get().getRunning() == null) {
            String words = "container " + container + " "
                    + state.map(UnreachableContainer::describe).orElse("has not started");
            return Optional.of(
                    leaving
                            ? new UnreachableContainer(Reason.POD_GONE, "the pod is being deleted and " + words)
                            : new UnreachableContainer(Reason.CONTAINER_ENDED, words));
        }
        return lost(pod)
                ? Optional.of(new UnreachableContainer(
                        Reason.NODE_LOST, "node " + pod.getSpec().getNodeName() + " is unreachable"))
                : Optional.empty();
    }

    private static Optional<ContainerState> state(Pod pod, String container) {
        return Stream.of(pod.getStatus())
                .filter(Objects::nonNull)
                .map(status ->
                        Optional.ofNullable(status.getContainerStatuses()).orElse(List.of()))
                .flatMap(List::stream)
                .filter(status -> status.getName().equals(container))
                .map(ContainerStatus::getState)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static String describe(ContainerState state) {
        if (state.getTerminated() != null) {
            return "has ended with exit code " + state.getTerminated().getExitCode();
        }
        String why = state.getWaiting() == null ? null : state.getWaiting().getReason();
        return "does not run" + (why == null ? "" : ": " + why);
    }

    /**
     * Returns whether the pod's node is lost. For a silent node the node controller changes only the pod's readiness; a
     * kubelet that runs would also change the readiness of the containers.
     */
    private static boolean lost(Pod pod) {
        return "NodeLost".equals(pod.getStatus().getReason())
                || (condition(pod, "Ready", "False")
                        && condition(pod, "ContainersReady", "True")
                        && Optional.ofNullable(pod.getSpec().getReadinessGates())
                                .orElse(List.of())
                                .isEmpty());
    }

    private static boolean condition(Pod pod, String type, String status) {
        return Optional.ofNullable(pod.getStatus().getConditions()).orElse(List.of()).stream()
                .anyMatch(c -> c.getType().equals(type) && c.getStatus().equals(status));
    }
}
