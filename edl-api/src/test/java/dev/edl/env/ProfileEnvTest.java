package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import org.junit.jupiter.api.Test;

/** Environments of the seed operators' golden tables, byte for byte. */
class ProfileEnvTest {
    private static final Job EXAMPLE_JOB = Job.named("example-job")
            .tensorflow()
            .runId("76no")
            .master()
            .workers(1)
            .ps(2)
            .build();

    // F.1
    @Test
    void tfjob_v1alpha1_has_short_addresses_and_the_environment_cloud() {
        JobPlan plan = EXAMPLE_JOB.plan(Profile.TFJOB_V1ALPHA1);

        assertThat(plan.replica("master", 0).env())
                .containsExactly(entry(
                        "TF_CONFIG",
                        "{\"cluster\":{\"master\":[\"example-job-master-76no-0:2222\"],"
                                + "\"ps\":[\"example-job-ps-76no-0:2222\",\"example-job-ps-76no-1:2222\"],"
                                + "\"worker\":[\"example-job-worker-76no-0:2222\"]},"
                                + "\"task\":{\"type\":\"master\",\"index\":0},\"environment\":\"cloud\"}"));
    }

    // F.4
    @Test
    void kubeflow_v1_has_addresses_with_the_namespace() {
        JobPlan plan = EXAMPLE_JOB.plan(Profile.KUBEFLOW_V1);

        assertThat(plan.replica("ps", 1).env())
                .containsExactly(entry(
                        "TF_CONFIG",
                        "{\"cluster\":{\"master\":[\"example-job-master-0.default.svc:2222\"],"
                                + "\"ps\":[\"example-job-ps-0.default.svc:2222\",\"example-job-ps-1.default.svc:2222\"],"
                                + "\"worker\":[\"example-job-worker-0.default.svc:2222\"]},"
                                + "\"task\":{\"type\":\"ps\",\"index\":1},\"environment\":\"cloud\"}"));
    }

    // F.2
    @Test
    void mxjob_v1beta1_has_five_variables_and_a_short_root() {
        JobPlan plan = Job.named("example-dist-job")
                .mxnet()
                .runId("1kkf")
                .scheduler()
                .servers(2)
                .workers(3)
                .build()
                .plan(Profile.MXJOB_V1BETA1);

        assertThat(plan.replica("worker", 2).env())
                .containsExactly(
                        entry("DMLC_NUM_SERVER", "2"),
                        entry("DMLC_NUM_WORKER", "3"),
                        entry("DMLC_PS_ROOT_PORT", "9091"),
                        entry("DMLC_PS_ROOT_URI", "example-dist-job-scheduler-1kkf-0"),
                        entry("DMLC_ROLE", "worker"));
        assertThat(plan.replica("scheduler", 0).env()).containsEntry("DMLC_ROLE", "scheduler");
        assertThat(plan.replica("server", 0).env()).containsEntry("DMLC_ROLE", "server");
    }
}
