package {{package}};

import static dev.edl.testkit.EdlAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.status.JobPhase;
import dev.edl.testkit.cluster.SimulatedCluster;
import dev.edl.testkit.cluster.SimulatedJob;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PointsJobTest {
    private final Job job = PointsJob.ofImage("registry.example/acme/{{name}}:1").toBuilder()
            .runId("test")
            .build();

    @Test
    void the_job_is_as_it_was_asked_for() {
        assertThat(job)
                .hasName("{{name}}")
                .hasRoles("master", "ps", "worker")
                .role("ps", ps -> ps.hasReplicas(1).isNotElastic())
                .role("worker")
                .hasReplicas(2)
                .isElastic(1, 4)
                .hasRequests("cpu=1,memory=2Gi");
    }

    /** After an intended change, {@code mvn test -Dedl.approve} writes the new plan. */
    @Test
    void the_plan_is_as_approved() {
        assertThat(job.plan()).matchesGolden();
    }

    @Test
    void a_deleted_worker_is_replaced() throws InterruptedException {
        try (SimulatedCluster cluster = SimulatedCluster.builder().nodes(2, "cpu=4,memory=16Gi").build()) {
            SimulatedJob run = cluster.submit(job);
            run.delete("worker-0");
            assertThat(run.status().toString()).contains("worker 2/2 running");

            run.exit("master", 0);
            assertThat(run.await(Duration.ofMinutes(1)).phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
    }
}
