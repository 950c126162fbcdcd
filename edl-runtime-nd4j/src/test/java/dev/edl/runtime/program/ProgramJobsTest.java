package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import org.junit.jupiter.api.Test;

class ProgramJobsTest {
    @Test
    void settings_before_any_role_apply_to_all_roles() {
        Job job = ProgramJobs.here(PlaneProgram.class)
                .env("DATA", "/data")
                .ps(1)
                .workers(1)
                .build();

        assertThat(job.plan().roles())
                .hasSize(3)
                .allSatisfy(role -> assertThat(role.template().env()).containsEntry("DATA", "/data"));
    }

    @Test
    void pods_of_an_image_find_their_token_and_log_the_training() {
        Job job = ProgramJobs.image("registry.example/acme/mnist:1", "/data")
                .name("mnist")
                .master()
                .ps(1)
                .workers(1)
                .build();

        assertThat(job.plan().roles()).hasSize(3).allSatisfy(role -> {
            assertThat(role.template().image()).contains("registry.example/acme/mnist:1");
            assertThat(role.template().command()).isEmpty();
            assertThat(role.template().args()).containsExactly("/data");
            assertThat(role.template().env())
                    .containsEntry("EDL_TOKEN_FILE", "/run/edl/token")
                    .containsEntry("EDL_TLS", "token")
                    .containsEntry("EDL_EVENTS", "log");
        });
    }

    @Test
    void composed_job_keeps_its_encryption() {
        Job composed = Job.named("mnist")
                .elasticdl()
                .image("i")
                .env("EDL_TLS", "off")
                .master()
                .ps(1)
                .workers(1)
                .build();

        assertThat(ProgramJobs.image(composed).build().plan().roles())
                .allSatisfy(role -> assertThat(role.template().env()).containsEntry("EDL_TLS", "off"));
        Job plain = Job.named("mnist")
                .elasticdl()
                .image("i")
                .master()
                .ps(1)
                .workers(1)
                .build();
        assertThat(ProgramJobs.image(plain).build().plan().roles())
                .allSatisfy(role -> assertThat(role.template().env()).containsEntry("EDL_TLS", "token"));
    }

    @Test
    void each_job_of_an_image_is_a_run_of_its_own() {
        assertThat(ProgramJobs.image("i")
                        .master()
                        .ps(1)
                        .workers(1)
                        .name("m")
                        .build()
                        .plan()
                        .runId())
                .isNotEqualTo(ProgramJobs.image("i")
                        .master()
                        .ps(1)
                        .workers(1)
                        .name("m")
                        .build()
                        .plan()
                        .runId());
    }
}
