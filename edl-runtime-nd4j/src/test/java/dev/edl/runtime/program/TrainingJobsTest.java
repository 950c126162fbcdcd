package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import org.junit.jupiter.api.Test;

class TrainingJobsTest {
    @Test
    void what_is_said_before_any_role_is_for_all_of_them() {
        Job job = TrainingJobs.here(PlaneProgram.class)
                .env("DATA", "/data")
                .ps(1)
                .workers(1)
                .build();

        assertThat(job.plan().roles())
                .hasSize(3)
                .allSatisfy(role -> assertThat(role.template().env()).containsEntry("DATA", "/data"));
    }
}
