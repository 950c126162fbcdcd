package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.junit.jupiter.api.Test;

class PodSecurityTest {
    private static final String TENSORFLOW = "spec.containers[tensorflow].securityContext.";

    private final Job job =
            Job.named("m").tensorflow().image("i").ps(1).workers(2).build();

    @Test
    void pods_meet_restricted_sidecars_included() {
        PodOptions options = PodOptions.builder()
                .sidecar(new ContainerBuilder()
                        .withName("log")
                        .withImage("busybox:1")
                        .build())
                .build();
        PodTemplates pods = PodTemplates.of(job.plan(), options);

        assertThat(PodSecurity.violations(pods.get("worker", 0))).isEmpty();
        assertThat(PodSecurity.violations(pods.shared("worker").orElseThrow())).isEmpty();
        assertThat(PodSecurity.violations(
                        PodTemplates.of(job.plan(Profile.KUBEFLOW_V1)).get("worker", 0)))
                .isEmpty();
    }

    @Test
    void settings_beyond_restricted_stay() {
        JobPlan plan = job.toBuilder()
                .workers(2)
                .volume("mount_path=/cache,host_path=/mnt")
                .build()
                .plan();

        assertThat(PodSecurity.violations(PodTemplates.of(plan).get("worker", 0)))
                .containsExactly(
                        "spec.volumes[volume-0] must be a configMap, csi, downwardAPI, emptyDir, ephemeral, image,"
                                + " persistentVolumeClaim, projected or secret, was hostPath /mnt");
    }

    @Test
    void settings_beyond_restricted_are_refused_under_restricted() {
        PodTemplates pods = PodTemplates.of(
                job.plan(),
                PodOptions.builder()
                        .security(PodSecurity.RESTRICTED)
                        .hostNetwork()
                        .runAsUser(0)
                        .build());

        assertThatThrownBy(() -> pods.get("worker", 0))
                .isInstanceOf(RenderException.class)
                .hasMessage(
                        "job \"m\": worker: the pod does not meet Pod Security \"restricted\": spec.hostNetwork must"
                                + " not be true, was true; spec.securityContext.runAsUser must not be root, was 0;"
                                + " remove that, or use security(PodSecurity.HARDENED) to apply only what the pod"
                                + " allows");
    }

    @Test
    void a_default_pod_violates_four_rules() {
        PodTemplateSpec pod = PodTemplates.of(
                        job.plan(),
                        PodOptions.builder().security(PodSecurity.AS_GIVEN).build())
                .get("worker", 0);

        assertThat(PodSecurity.violations(pod))
                .containsExactly(
                        TENSORFLOW + "allowPrivilegeEscalation must be false, was not given",
                        TENSORFLOW + "runAsNonRoot must be true, here or for the pod, was not given",
                        TENSORFLOW + "seccompProfile.type must be RuntimeDefault or Localhost, here or for the pod,"
                                + " was not given",
                        TENSORFLOW + "capabilities.drop must hold ALL, was not given");
    }

    @Test
    void legacy_profiles_have_pods_as_their_operators_made_them() {
        PodTemplateSpec pod = PodTemplates.of(
                        Job.named("m").tensorflow().image("i").master().build().plan(Profile.TFJOB_V1ALPHA1))
                .get("master", 0);

        assertThat(pod.getSpec().getSecurityContext()).isNull();
        assertThat(pod.getSpec().getContainers().get(0).getSecurityContext()).isNull();
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isNull();
    }
}
