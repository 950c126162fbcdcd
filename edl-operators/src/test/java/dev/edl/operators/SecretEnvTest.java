package dev.edl.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretEnvTest {
    private final Job job = Job.named("mnist")
            .image("img:1")
            .tensorflow()
            .workers(2)
            .env("BATCH", "64")
            .secretEnv("TOKEN", "hub", "token")
            .build();

    private static EnvVar token() {
        return new EnvVarBuilder()
                .withName("TOKEN")
                .withNewValueFrom()
                .withNewSecretKeyRef("token", "hub", null)
                .endValueFrom()
                .build();
    }

    @Test
    void a_pod_has_the_reference_under_every_profile() {
        for (Profile profile : List.of(Profile.ELASTICDL, Profile.TFJOB_V1ALPHA1, Profile.KUBEFLOW_V1)) {
            List<EnvVar> env = PodTemplates.of(job.plan(profile))
                    .get("worker", 1)
                    .getSpec()
                    .getContainers()
                    .get(0)
                    .getEnv();

            assertThat(env).as("%s", profile).containsOnlyOnce(token());
            assertThat(env).extracting(EnvVar::getName).as("%s", profile).contains("BATCH", "TF_CONFIG");
        }
    }

    @Test
    void the_shared_template_of_a_role_has_it_too() {
        assertThat(PodTemplates.of(job.plan())
                        .shared("worker")
                        .orElseThrow()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv())
                .contains(token());
    }

    @Test
    void a_custom_resource_keeps_it_on_the_way_there_and_back() {
        String yaml = TfJobs.write(job).toYaml();

        assertThat(yaml).contains("secretKeyRef:");
        JobReadResult read = TfJobs.read(yaml);
        assertThat(PodTemplates.of(read.job().plan(Profile.TFJOB_V1ALPHA1), read.options())
                        .get("worker", 1)
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv())
                .contains(token());
    }

    @Test
    void an_option_of_the_same_name_is_refused() {
        PodOptions twice = PodOptions.builder()
                .role("worker", w -> w.secretEnv("TOKEN", "other", "token"))
                .build();

        assertThatThrownBy(() -> PodTemplates.of(job.plan(), twice))
                .hasMessage("job \"mnist\": worker.secretEnv TOKEN is already a variable of the pod; set it once");
    }
}
