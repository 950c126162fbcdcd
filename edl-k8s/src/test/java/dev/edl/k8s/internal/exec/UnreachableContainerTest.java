package dev.edl.k8s.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.exec.ExecException.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;

class UnreachableContainerTest {
    private static PodBuilder pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("mnist-worker-0")
                .withUid("u1")
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-1")
                .endSpec();
    }

    private static Pod running() {
        return pod().withNewStatus()
                .addNewContainerStatus()
                .withName("main")
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private static Pod ended(int code) {
        return running()
                .edit()
                .editStatus()
                .editFirstContainerStatus()
                .withNewState()
                .withNewTerminated()
                .withExitCode(code)
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private static Pod leaving(Pod pod) {
        return pod.edit()
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();
    }

    private static Pod ready(String ready, String containers) {
        return running()
                .edit()
                .editStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .endCondition()
                .addNewCondition()
                .withType("ContainersReady")
                .withStatus(containers)
                .endCondition()
                .endStatus()
                .build();
    }

    @Test
    void a_running_container_is_reachable_during_its_grace_period() {
        assertThat(UnreachableContainer.stops(running(), "u1", "main")).isEmpty();
        assertThat(UnreachableContainer.stops(leaving(running()), "u1", "main")).isEmpty();
    }

    @Test
    void a_deleted_or_replaced_pod_stops_the_command() {
        UnreachableContainer gone = new UnreachableContainer(Reason.POD_GONE, "the pod is gone");
        assertThat(UnreachableContainer.stops(null, "u1", "main")).contains(gone);
        assertThat(UnreachableContainer.stops(running(), "u0", "main")).contains(gone);
    }

    @Test
    void an_ended_container_stops_the_command_with_its_exit_code() {
        assertThat(UnreachableContainer.stops(ended(137), "u1", "main"))
                .contains(new UnreachableContainer(
                        Reason.CONTAINER_ENDED, "container main has ended with exit code 137"));
        assertThat(UnreachableContainer.stops(leaving(ended(0)), "u1", "main"))
                .contains(new UnreachableContainer(
                        Reason.POD_GONE, "the pod is being deleted and container main has ended with exit code 0"));
    }

    @Test
    void an_unstarted_or_missing_container_accepts_no_command() {
        Pod waiting = pod().withNewStatus()
                .addNewContainerStatus()
                .withName("main")
                .withNewState()
                .withNewWaiting()
                .withReason("ImagePullBackOff")
                .endWaiting()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
        assertThat(UnreachableContainer.stops(waiting, "u1", "main"))
                .contains(new UnreachableContainer(
                        Reason.CONTAINER_ENDED, "container main does not run: ImagePullBackOff"));
        assertThat(UnreachableContainer.stops(running(), "u1", "other"))
                .contains(new UnreachableContainer(Reason.CONTAINER_ENDED, "container other has not started"));
        assertThat(UnreachableContainer.stops(pod().build(), "u1", "main"))
                .contains(new UnreachableContainer(Reason.CONTAINER_ENDED, "container main has not started"));
    }

    @Test
    void an_unready_pod_with_ready_containers_has_lost_its_node() {
        assertThat(UnreachableContainer.stops(ready("False", "True"), "u1", "main"))
                .contains(new UnreachableContainer(Reason.NODE_LOST, "node node-1 is unreachable"));
        assertThat(UnreachableContainer.stops(ready("False", "False"), "u1", "main"))
                .isEmpty();
        assertThat(UnreachableContainer.stops(ready("True", "True"), "u1", "main"))
                .isEmpty();
    }
}
