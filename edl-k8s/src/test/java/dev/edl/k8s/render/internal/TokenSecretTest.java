package dev.edl.k8s.render.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.preflight.SubmitterRole;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.RenderException;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenSecretTest {
    /** With the hash code of "run-1", in hexadecimal. */
    private static final String NAME = "edl-token-mnist-067d496f";

    private static JobPlan plan(JobBuilder job) {
        return job.image("mnist:1").master().ps(1).workers(2).build().plan();
    }

    private static JobPlan plan(String file) {
        return plan(file, "run-1");
    }

    private static JobPlan plan(String file, String run) {
        return plan(Job.named("mnist").elasticdl().runId(run).env("EDL_TOKEN_FILE", file));
    }

    private static PodSpec worker(JobPlan plan, PodOptions options) {
        return PodTemplates.of(plan, options).get("worker", 1).getSpec();
    }

    private static boolean isNeeded(JobPlan plan, PodOptions options) {
        return TokenSecret.isNeeded(plan, role -> PodTemplates.of(plan, options).get(role, 0, 0));
    }

    @Test
    void each_pod_finds_the_token_where_its_environment_says() {
        PodSpec worker = worker(plan("/run/edl/secret"), PodOptions.none());

        assertThat(worker.getVolumes()).singleElement().satisfies(volume -> {
            assertThat(volume.getSecret().getSecretName()).isEqualTo(NAME);
            assertThat(volume.getSecret().getItems())
                    .singleElement()
                    .satisfies(item -> assertThat(item.getPath()).isEqualTo("secret"));
        });
        assertThat(worker.getContainers().get(0).getVolumeMounts())
                .singleElement()
                .satisfies(mount -> {
                    assertThat(mount.getMountPath()).isEqualTo("/run/edl");
                    assertThat(mount.getReadOnly()).isTrue();
                });
    }

    @Test
    void a_users_own_volume_provides_the_token() {
        PodOptions options =
                PodOptions.builder().secretVolume("ours", "/run/edl").build();
        JobPlan plan = plan("/run/edl/token");

        assertThat(worker(plan, options).getVolumes())
                .extracting(volume -> volume.getSecret().getSecretName())
                .containsExactly("ours");
        assertThat(isNeeded(plan, options)).isFalse();
        assertThat(SubmitterRole.of(plan, options).toString()).doesNotContain("secrets");
    }

    @Test
    void the_submitter_needs_the_right_to_create_the_secret() {
        assertThat(SubmitterRole.of(plan("/run/edl/token")).toString())
                .contains("secrets: create")
                .doesNotContain("secrets: get");
    }

    @Test
    void each_run_of_a_name_has_a_secret_of_its_own() {
        assertThat(TokenSecret.name(plan("/run/edl/token", "run-1")))
                .isNotEqualTo(TokenSecret.name(plan("/run/edl/token", "run-2")));
    }

    @Test
    void preflight_permissions_read_no_token() {
        assertThat(SubmitterRole.of(plan("/run/edl/token")).preflight().toString())
                .contains("secrets: create")
                .doesNotContain("edl-token");
    }

    @Test
    void a_file_that_is_mounted_itself_is_the_users_own() {
        PodOptions options =
                PodOptions.builder().secretVolume("ours", "/run/edl/token").build();

        assertThat(isNeeded(plan("/run/edl/token"), options)).isFalse();
    }

    @Test
    void a_job_without_the_variable_or_of_another_framework_has_no_token() {
        JobPlan none = plan(Job.named("mnist").elasticdl());
        JobPlan other = Job.named("mnist")
                .tensorflow()
                .env("EDL_TOKEN_FILE", "/run/edl/token")
                .image("i")
                .workers(1)
                .build()
                .plan();

        assertThat(isNeeded(none, PodOptions.none())).isFalse();
        assertThat(isNeeded(other, PodOptions.none())).isFalse();
    }

    @Test
    void a_path_that_is_no_file_in_a_folder_is_refused() {
        JobPlan plan = plan("token");

        assertThatThrownBy(() -> worker(plan, PodOptions.none()))
                .isInstanceOf(RenderException.class)
                .hasMessage(
                        "job \"mnist\": worker.env EDL_TOKEN_FILE must be the absolute path of a file in a folder of its"
                                + " own, was \"token\"; for example /run/edl/token");
    }

    @Test
    void the_secret_is_one_line_of_64_hexadecimal_digits() {
        Secret secret =
                (Secret) TokenSecret.create(plan("/run/edl/token"), Optional.empty(), new byte[TokenSecret.BYTES]);

        assertThat(new String(Base64.getDecoder().decode(secret.getData().get("token")), StandardCharsets.US_ASCII))
                .isEqualTo("0".repeat(64) + "\n");
        assertThat(secret.getMetadata().getName()).isEqualTo(NAME);
    }
}
