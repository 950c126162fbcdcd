package dev.edl.k8s.lives;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.ArrayList;
import java.util.List;

/** Copies of pods that share unchanged parts, because fabric8's builders copy the whole pod. */
final class Pods {
    private Pods() {}

    /** Returns a copy with its own metadata. */
    static Pod copy(Pod pod) {
        Pod next = new Pod();
        next.setMetadata(copy(pod.getMetadata()));
        next.setSpec(pod.getSpec());
        next.setStatus(pod.getStatus());
        return next;
    }

    static ObjectMeta copy(ObjectMeta meta) {
        ObjectMeta next = new ObjectMeta();
        next.setName(meta.getName());
        next.setNamespace(meta.getNamespace());
        next.setUid(meta.getUid());
        next.setLabels(meta.getLabels());
        next.setAnnotations(meta.getAnnotations());
        next.setOwnerReferences(meta.getOwnerReferences());
        next.setFinalizers(meta.getFinalizers());
        next.setResourceVersion(meta.getResourceVersion());
        next.setCreationTimestamp(meta.getCreationTimestamp());
        next.setDeletionTimestamp(meta.getDeletionTimestamp());
        next.setDeletionGracePeriodSeconds(meta.getDeletionGracePeriodSeconds());
        return next;
    }

    /** Returns a spec with one more container before the others. */
    static PodSpec injected(PodSpec spec, io.fabric8.kubernetes.api.model.Container first) {
        PodSpec next = new PodSpec();
        List<io.fabric8.kubernetes.api.model.Container> containers = new ArrayList<>();
        containers.add(first);
        containers.addAll(spec.getContainers());
        next.setContainers(containers);
        next.setRestartPolicy(spec.getRestartPolicy());
        next.setTerminationGracePeriodSeconds(spec.getTerminationGracePeriodSeconds());
        return next;
    }

    static String name(Pod pod) {
        return pod.getMetadata().getName();
    }

    static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    static String phase(Pod pod) {
        return pod.getStatus().getPhase();
    }

    static boolean leaves(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    static boolean ended(Pod pod) {
        return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
    }

    static PodStatus status(String phase, ContainerStatus... containers) {
        PodStatus status = new PodStatus();
        status.setPhase(phase);
        status.setContainerStatuses(List.of(containers));
        return status;
    }

    static PodStatus disrupted(PodStatus status, String reason) {
        PodCondition condition = new PodCondition();
        condition.setType("DisruptionTarget");
        condition.setStatus("True");
        condition.setReason(reason);
        status.setConditions(List.of(condition));
        return status;
    }

    static ContainerStatus running(String name) {
        ContainerState state = new ContainerState();
        state.setRunning(new ContainerStateRunning());
        return container(name, state);
    }

    static ContainerStatus ended(String name, int code, String reason) {
        ContainerStateTerminated end = new ContainerStateTerminated();
        end.setExitCode(code);
        end.setReason(reason);
        ContainerState state = new ContainerState();
        state.setTerminated(end);
        return container(name, state);
    }

    private static ContainerStatus container(String name, ContainerState state) {
        ContainerStatus status = new ContainerStatus();
        status.setName(name);
        status.setState(state);
        status.setRestartCount(0);
        return status;
    }
}
