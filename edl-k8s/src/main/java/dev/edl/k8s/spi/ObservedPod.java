package dev.edl.k8s.spi;

import dev.edl.k8s.internal.pods.MainContainer;
import dev.edl.k8s.internal.pods.PodMapper;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Optional;

/**
 * State of a pod that an operator, not EDL, created for a job. {@link dev.edl.reconcile.Reconciler} implementations
 * read it instead of the pod.
 *
 * @param replica observed state of the pod as a replica
 * @param created creation time of the pod
 * @param restarts number of container restarts
 * @param lastEnd how the container last ended before its restart, such as {@code exit code 3 (Error)}; empty without a
 *     restart
 */
public record ObservedPod(ObservedReplica replica, Instant created, int restarts, String lastEnd) {
    public static ObservedPod of(Pod pod, RoleType role, int id) {
        Optional<ContainerStatus> main = MainContainer.status(pod);
        String stamp = pod.getMetadata().getCreationTimestamp();
        return new ObservedPod(
                PodMapper.of(pod, role, id),
                stamp == null ? Instant.EPOCH : Instant.parse(stamp),
                main.map(ContainerStatus::getRestartCount).orElse(0),
                main.map(ContainerStatus::getLastState)
                        .map(ContainerState::getTerminated)
                        .map(ObservedPod::describe)
                        .orElse(""));
    }

    private static String describe(ContainerStateTerminated end) {
        String why = end.getReason() == null ? "" : end.getReason();
        return "exit code " + end.getExitCode() + (why.isEmpty() ? "" : " (" + why + ")");
    }
}
