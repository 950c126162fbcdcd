package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.env.TfConfig;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import org.junit.jupiter.api.Test;

class TfConfigAssertTest {
    private final TfConfig config = TfConfig.parse("{\"cluster\":{\"ps\":[\"p-0:2222\",\"p-1:2222\"],"
            + "\"worker\":[\"w-0:2222\"]},\"task\":{\"type\":\"worker\",\"index\":0},\"environment\":\"cloud\"}");
    private final TfConfig sparse =
            TfConfig.parse("{\"cluster\":{\"ps\":[\"p-0:2222\"],\"worker\":{\"2\":\"w-2:2222\"}}}");

    @Test
    void assertions_that_hold_chain() {
        assertThat(config)
                .hasTask("worker", 0)
                .hasTaskTypes("worker", "ps")
                .hasAddresses("ps", "p-0:2222", "p-1:2222")
                .hasAddress("ps", 1, "p-1:2222")
                .hasEnvironment("cloud")
                .isNotSparse()
                .hasJson("{\"cluster\":{\"ps\":[\"p-0:2222\",\"p-1:2222\"],\"worker\":[\"w-0:2222\"]},"
                        + "\"task\":{\"type\":\"worker\",\"index\":0},\"environment\":\"cloud\"}");
        assertThat(sparse).isSparse().hasNoTask().hasNoEnvironment().hasAddress("worker", 2, "w-2:2222");
    }

    @Test
    void task_and_environment() {
        fails(() -> assertThat(config).hasTask("ps", 1), "TF_CONFIG: expected task ps 1, was worker 0");
        fails(() -> assertThat(sparse).hasTask("ps", 1), "TF_CONFIG: expected task ps 1, but there is none");
        fails(() -> assertThat(config).hasNoTask(), "TF_CONFIG: expected no task, was worker 0");
        fails(
                () -> assertThat(config).hasEnvironment("local"),
                "TF_CONFIG: expected environment \"local\", was \"cloud\"");
        fails(() -> assertThat(config).hasNoEnvironment(), "TF_CONFIG: expected no environment, was \"cloud\"");
    }

    @Test
    void task_types_suggest_the_nearest() {
        fails(
                () -> assertThat(config).hasTaskTypes("ps", "worker", "chief"),
                "TF_CONFIG: expected task types \"chief\", \"ps\", \"worker\", was \"ps\", \"worker\"");
        fails(
                () -> assertThat(config).hasAddresses("workers", "w-0:2222"),
                "TF_CONFIG: expected task type \"workers\"; did you mean \"worker\"? There are ps, worker");
        fails(
                () -> assertThat(config).hasAddress("evaluator", 0, "e:1"),
                "TF_CONFIG: expected task type \"evaluator\"; there are ps, worker");
    }

    @Test
    void addresses() {
        fails(
                () -> assertThat(config).hasAddresses("ps", "p-0:2222"),
                "TF_CONFIG: expected addresses of ps \"p-0:2222\", was \"p-0:2222\", \"p-1:2222\"");
        fails(
                () -> assertThat(config).hasAddress("ps", 1, "p-1:1"),
                "TF_CONFIG: expected address of ps 1 \"p-1:1\", was \"p-1:2222\"");
        fails(
                () -> assertThat(sparse).hasAddress("worker", 0, "w-0:2222"),
                "TF_CONFIG: expected address of worker 0 \"w-0:2222\", but indexes of worker are 2");
    }

    @Test
    void sparseness_and_text() {
        fails(
                () -> assertThat(sparse).isNotSparse(),
                "TF_CONFIG: expected no sparse cluster, was"
                        + " {\"cluster\":{\"ps\":[\"p-0:2222\"],\"worker\":{\"2\":\"w-2:2222\"}}}");
        TfConfig one = TfConfig.parse("{\"cluster\":{\"worker\":[\"w-0:1\"]}}");
        fails(
                () -> assertThat(one).isSparse(),
                "TF_CONFIG: expected a sparse cluster, was {\"cluster\":{\"worker\":[\"w-0:1\"]}}");
        fails(
                () -> assertThat(one).hasJson("{}"),
                "TF_CONFIG: expected text \"{}\", was \"{\"cluster\":{\"worker\":[\"w-0:1\"]}}\"");
    }

    @Test
    void a_replicas_own_names_the_replica() {
        JobPlan plan =
                Job.named("mnist").tensorflow().chief().ps(2).workers(2).build().plan(Profile.KUBEFLOW_V1);
        assertThat(plan)
                .replica("worker", 1)
                .tfConfig()
                .hasTask("worker", 1)
                .hasTaskTypes("chief", "ps", "worker")
                .hasAddress("chief", 0, "mnist-chief-0.default.svc:2222");
        fails(
                () -> assertThat(plan).replica("worker", 1).tfConfig().hasTask("worker", 2),
                "replica mnist-worker-1 (worker 1), TF_CONFIG: expected task worker 2, was worker 1");
        fails(
                () -> assertThat(Mnist.job().plan()).replica("ps", 1).tfConfig(),
                "replica elasticdl-mnist-ps-1 (ps 1): expected variable TF_CONFIG, but there is no TF_CONFIG; there are"
                        + " EDL_INDEX, EDL_ROLE, EDL_RUN_ID, JOB_NAME, LOG, MASTER_ADDR, PS_ADDRS, WORKER_NUM");
    }

    @Test
    void an_unreadable_text_reports_the_reason() {
        JobPlan own = Job.named("own")
                .runId("r1")
                .master()
                .workers(1)
                .env("TF_CONFIG", "[]")
                .build()
                .plan();
        assertThatThrownBy(
                        () -> assertThat(own).as("nightly").replica("worker", 0).tfConfig())
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("[nightly] replica elasticdl-own-worker-0 (worker 0): expected a TF_CONFIG that"
                        + " can be read, but TF_CONFIG must be a map, was []");
    }
}
