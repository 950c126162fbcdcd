package dev.edl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import org.junit.jupiter.api.Test;

class PlanDiffTest {
    private static Job job() {
        return Job.builder()
                .name("mnist")
                .tensorflow()
                .ps(2)
                .workers(4)
                .request("memory=2Gi")
                .env("API_TOKEN", "hunter2")
                .build();
    }

    @Test
    void what_differs_is_shown_line_by_line() {
        Job more = job().toBuilder().workers(4).request("memory=4Gi").build();

        assertThat(PlanDiff.of(job().plan(), more.plan()).toString())
                .startsWith("plan of job \"mnist\" (-: before, +: after):\n@@ -")
                .contains("\n-      \"memory\": \"2Gi\"\n+      \"memory\": \"4Gi\"\n")
                .doesNotContain("hunter2", job().plan().runId());
    }

    @Test
    void of_equal_plans_nothing_differs() {
        PlanDiff none = PlanDiff.of(job().plan(), job().plan());

        assertThat(none.differences()).isEmpty();
        assertThat(none).hasToString("plan of job \"mnist\": nothing differs");
    }

    @Test
    void a_secret_that_changed_is_not_shown() {
        Job other = job().toBuilder().workers(4).env("API_TOKEN", "hunter3").build();

        assertThat(PlanDiff.of(job().plan(), other.plan()).toString())
                .contains("masked")
                .doesNotContain("hunter");
    }

    @Test
    void jobs_of_two_names_are_both_named() {
        Job other = job().toBuilder().name("other").build();

        assertThat(PlanDiff.of(job().plan(), other.plan()).title())
                .isEqualTo("plans of jobs \"mnist\" and \"other\" (-: before, +: after)");
    }
}
