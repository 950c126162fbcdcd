package dev.edl.notebook;

import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.testkit.PlanDiff;
import dev.edl.testkit.cluster.SimulatedCluster;
import dev.edl.testkit.cluster.SimulatedJob;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobHtmlTest {
    private static final String HOSTILE = "<script>alert(1)</script>";

    static Job mnist() {
        return Job.builder()
                .name("mnist")
                .tensorflow()
                .image("registry.example/acme/mnist:1")
                .ps(2)
                .priority(HIGH)
                .workers(4)
                .priority(LOW)
                .request("cpu=2,memory=4Gi")
                .env("API_TOKEN", "hunter2")
                .secretEnv("AWS_SECRET_ACCESS_KEY", "aws", "key")
                .elastic(1, 8)
                .build();
    }

    @Test
    void a_job_is_its_roles_and_what_was_implied() {
        Pages.check("job", JobHtml.of(mnist()));
    }

    @Test
    void an_explanation_is_two_tables() {
        Pages.check(
                "explanation", JobHtml.of(Job.builder().ps(2).workers(4).build().explain()));
    }

    @Test
    void a_plan_is_its_roles_addresses_and_variables() {
        Pages.check("plan", JobHtml.of(mnist().plan()));
    }

    @Test
    void a_replica_is_its_address_and_environment() {
        Pages.check("replica", JobHtml.of(mnist().plan().replica("worker", 2)));
    }

    @Test
    void status_and_events_are_tables() {
        try (SimulatedCluster cluster = SimulatedCluster.builder()
                .nodes(2, "cpu=8,memory=16Gi")
                .priorityClass("high", 1000)
                .priorityClass("low", 1)
                .build()) {
            SimulatedJob job = cluster.submit(mnist());
            cluster.advance(Duration.ofSeconds(90));
            job.exit("worker-1", 137, "OOMKilled");

            Pages.check("status", JobHtml.of(job.status()));
            Pages.check("events", JobHtml.of(job.events()));
        }
    }

    @Test
    void no_events_are_nothing() {
        assertThat(JobHtml.of(List.of())).isEmpty();
    }

    @Test
    void secrets_are_masked_wherever_variables_are_shown() {
        Job job = mnist();

        assertThat(JobHtml.of(job)
                        + JobHtml.of(job.plan())
                        + JobHtml.of(job.plan().replica("worker", 0)))
                .doesNotContain("hunter2")
                .contains("***");
    }

    @Test
    void a_value_cannot_bring_markup() {
        JobBuilder hostile = mnist().toBuilder();
        Job job = hostile.workers(1).env("GREETING", HOSTILE).build();

        assertThat(JobHtml.of(job.plan()) + JobHtml.of(job.plan().replica("worker", 0)))
                .doesNotContain("<script")
                .contains("&lt;script&gt;");
    }

    @Test
    void the_differences_of_two_plans_are_lines_with_signs() {
        Job job = Job.builder().name("mnist").ps(1).workers(2).runId("fixed").build();
        Job more = job.toBuilder().workers(4).build();

        Pages.check("diff", PlanDiffHtml.of(PlanDiff.of(job.plan(), more.plan())));
    }

    @Test
    void equal_plans_have_no_differences() {
        Job job = Job.builder().name("mnist").ps(1).workers(2).build();

        assertThat(PlanDiffHtml.of(PlanDiff.of(job.plan(), job.plan())))
                .contains("nothing differs")
                .doesNotContain("<pre>");
    }
}
