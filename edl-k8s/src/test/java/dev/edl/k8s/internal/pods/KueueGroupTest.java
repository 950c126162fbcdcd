package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Kueue does is that of {@code pkg/controller/jobs/pod/pod_controller.go}, version 0.19.2. */
class KueueGroupTest {
    private static final JobPlan PLAN = Job.named("m")
            .elasticdl()
            .image("i")
            .master()
            .ps(1)
            .workers(3, workers -> workers.elastic(2, 8))
            .build()
            .plan();

    private static final PodTemplates TEMPLATES =
            PodTemplates.of(PLAN, PodOptions.builder().queue("team-a").build());

    private final List<String> patches = new ArrayList<>();
    private boolean forbidden;

    private final ClusterApi api = (ClusterApi) Proxy.newProxyInstance(
            ClusterApi.class.getClassLoader(), new Class<?>[] {ClusterApi.class}, (proxy, method, args) -> {
                if (method.getName().equals("namespace")) {
                    return "team";
                }
                assertThat(method.getName()).isEqualTo("patchPod");
                patches.add(args[0] + " " + args[1]);
                if (forbidden) {
                    throw new KubernetesClientException(
                            "forbidden", 403, new StatusBuilder().withCode(403).build());
                }
                return true;
            });

    private final KueueGroup group = KueueGroup.of(api, PLAN, TEMPLATES).orElseThrow();

    /** Returns a pod as Kueue's webhook stores it. */
    private static Pod pod(RoleType role, int id, int index, String phase) {
        return new PodBuilder()
                .withMetadata(TEMPLATES.get(role, id, index).getMetadata())
                .editMetadata()
                .withName(PLAN.replicaName(role, id))
                .withResourceVersion("7")
                .withFinalizers("team/own", KueueGroup.FINALIZER)
                .addToAnnotations(PodMapper.ROLE, role.id())
                .endMetadata()
                .withNewSpec()
                .withNodeName("n")
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
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

    @Test
    void the_group_has_what_the_job_always_has() {
        assertThat(List.of(
                        pod(RoleType.MASTER, 0, 0, "Running"),
                        pod(RoleType.PS, 0, 0, "Running"),
                        pod(RoleType.WORKER, 5, 1, "Running")))
                .allSatisfy(pod -> assertThat(pod.getMetadata().getAnnotations())
                        .containsEntry("kueue.x-k8s.io/pod-group-total-count", "4"));
        assertThat(pod(RoleType.WORKER, 2, 2, "Running").getMetadata().getLabels())
                .containsEntry("kueue.x-k8s.io/queue-name", "team-a")
                .doesNotContainKey("kueue.x-k8s.io/pod-group-name");
    }

    @Test
    void a_job_without_a_queue_or_with_one_pod_that_stays_has_no_group() {
        JobPlan single = Job.named("m")
                .tensorflow()
                .image("i")
                .workers(3, workers -> workers.elastic(1, 8))
                .build()
                .plan();

        assertThat(KueueGroup.of(api, PLAN, PodTemplates.of(PLAN))).isEmpty();
        assertThat(KueueGroup.of(
                        api,
                        single,
                        PodTemplates.of(
                                single, PodOptions.builder().queue("team-a").build())))
                .isEmpty();
    }

    @Test
    void a_successor_is_created_once_its_predecessor_has_ended() {
        Pod first = pod(RoleType.WORKER, 0, 0, "Running");
        Pod second = pod(RoleType.WORKER, 1, 1, "Running");
        Pod third = pod(RoleType.WORKER, 2, 2, "Running");

        assertThat(group.waits(PLAN.replica(RoleType.WORKER, 3, 0), List.of(leaving(first), second, third)))
                .isTrue();
        assertThat(group.waits(
                        PLAN.replica(RoleType.WORKER, 3, 0),
                        List.of(leaving(pod(RoleType.WORKER, 0, 0, "Failed")), second, third)))
                .isFalse();
        assertThat(group.waits(PLAN.replica(RoleType.WORKER, 3, 3), List.of(first, second, third)))
                .isFalse();
    }

    @Test
    void a_further_worker_is_created_once_the_group_is_admitted() {
        Pod first = pod(RoleType.WORKER, 0, 0, "Pending");
        Pod gated = first.edit()
                .editSpec()
                .addNewSchedulingGate("kueue.x-k8s.io/admission")
                .endSpec()
                .build();

        assertThat(group.waits(PLAN.replica(RoleType.WORKER, 2, 2), List.of())).isTrue();
        assertThat(group.waits(PLAN.replica(RoleType.WORKER, 2, 2), List.of(gated)))
                .isTrue();
        assertThat(group.waits(PLAN.replica(RoleType.WORKER, 2, 2), List.of(first)))
                .isFalse();
        assertThat(group.waits(PLAN.replica(RoleType.WORKER, 1, 1), List.of(gated)))
                .isFalse();
        assertThat(KueueSchedulingGate.gated(gated)).isTrue();
    }

    @Test
    void each_submission_has_its_own_group() {
        ObjectMeta member = TEMPLATES.get(RoleType.PS, 0, 0).getMetadata();
        ObjectMeta further = TEMPLATES.get(RoleType.WORKER, 2, 2).getMetadata();
        ObjectMeta longest = TEMPLATES.get(RoleType.PS, 0, 0).getMetadata();
        longest.getLabels().put("kueue.x-k8s.io/pod-group-name", "m".repeat(63));
        List.of(member, further, longest)
                .forEach(pod -> KueueMetadata.separate(pod, "0a1b2c3d-0000-4000-8000-000000000000"));

        assertThat(member.getLabels()).containsEntry("kueue.x-k8s.io/pod-group-name", "elasticdl-m-0a1b2c3d");
        assertThat(further.getLabels()).doesNotContainKey("kueue.x-k8s.io/pod-group-name");
        assertThat(longest.getLabels()).containsEntry("kueue.x-k8s.io/pod-group-name", "m".repeat(54) + "-0a1b2c3d");
    }

    @Test
    void an_ended_pod_makes_room_for_one_of_its_name() {
        group.release(
                List.of(
                        pod(RoleType.MASTER, 0, 0, "Running"),
                        leaving(pod(RoleType.PS, 0, 0, "Failed")),
                        leaving(pod(RoleType.WORKER, 0, 0, "Running"))),
                () -> false);

        assertThat(patches).hasSize(1);
        assertThat(patches.get(0))
                .startsWith("elasticdl-m-ps-0 ")
                .contains("finalizers=[team/own]", "resourceVersion=7");
    }

    @Test
    void the_end_of_the_job_marks_one_pod_once() {
        List<Pod> pods = List.of(
                leaving(pod(RoleType.PS, 0, 0, "Running")),
                pod(RoleType.MASTER, 0, 0, "Succeeded"),
                leaving(pod(RoleType.WORKER, 0, 0, "Failed")));
        group.release(pods, () -> true);
        group.release(pods, () -> true);

        assertThat(patches)
                .containsExactly(
                        "elasticdl-m-master {metadata={annotations={kueue.x-k8s.io/retriable-in-group=false}}}");
    }

    @Test
    void a_driver_that_may_not_patch_pods_asks_once_and_goes_on() {
        forbidden = true;
        List<Pod> pods = List.of(pod(RoleType.MASTER, 0, 0, "Succeeded"), leaving(pod(RoleType.PS, 0, 0, "Failed")));
        group.release(pods, () -> true);
        group.release(pods, () -> true);

        assertThat(patches).hasSize(1);
    }

    @Test
    void nothing_is_asked_while_all_pods_run() {
        group.release(List.of(pod(RoleType.MASTER, 0, 0, "Running"), pod(RoleType.PS, 0, 0, "Pending")), () -> {
            throw new AssertionError("the record is read at each change of a pod");
        });

        assertThat(patches).isEmpty();
    }

    @Test
    void a_pod_without_a_gate_does_not_wait_for_kueue() {
        assertThat(KueueSchedulingGate.gated(pod(RoleType.WORKER, 2, 2, "Pending")))
                .isFalse();
    }
}
