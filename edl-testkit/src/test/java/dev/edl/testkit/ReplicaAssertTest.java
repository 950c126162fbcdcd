package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.ReplicaPlan;
import org.junit.jupiter.api.Test;

class ReplicaAssertTest {
    private final ReplicaPlan replica = Mnist.job().plan().replica("worker", 2);

    @Test
    void assertions_that_hold_chain() {
        assertThat(replica)
                .hasName("elasticdl-mnist-worker-2")
                .hasIndex(2)
                .hasEnv("WORKER_NUM", "4")
                .hasEnv("LOG", "debug")
                .env("PS_ADDRS", value -> assertThat(value).contains("ps-0").contains("ps-1"))
                .doesNotHaveEnv("TF_CONFIG")
                .hasEndpoint("elasticdl-mnist-worker-2.default.svc:3333")
                .hasPort(3333)
                .hasPriorityClass("low")
                .hasLabel("elasticdl-replica-index", "2")
                .doesNotHaveLabel("tier");
        assertThat(Job.named("flat").master().workers(2).build().plan().replica("worker", 0))
                .hasNoPriorityClass();
    }

    @Test
    void a_variable_that_differs_is_shown_beside_the_expected_value() {
        fails(
                () -> assertThat(replica).hasEnv("WORKER_NUM", "5"),
                "replica elasticdl-mnist-worker-2 (worker 2): expected variable WORKER_NUM=\"5\", was \"4\"");
    }

    @Test
    void a_missing_variable_suggests_the_nearest() {
        fails(
                () -> assertThat(replica).hasEnv("WORKER_NO", "4"),
                "replica elasticdl-mnist-worker-2 (worker 2): expected variable WORKER_NO=\"4\", but there is no"
                        + " WORKER_NO; did you mean \"WORKER_ID\"? There are EDL_INDEX, EDL_ROLE, EDL_RUN_ID,"
                        + " JOB_NAME, LOG, MASTER_ADDR, PS_ADDRS, WORKER_ID, WORKER_NUM");
        fails(
                () -> assertThat(replica).env("TF_CONFIG", value -> {}),
                "replica elasticdl-mnist-worker-2 (worker 2): expected variable TF_CONFIG, but there is no TF_CONFIG;"
                        + " there are EDL_INDEX, EDL_ROLE, EDL_RUN_ID, JOB_NAME, LOG, MASTER_ADDR, PS_ADDRS,"
                        + " WORKER_ID, WORKER_NUM");
    }

    @Test
    void a_variable_that_should_not_be_there_is_shown() {
        fails(
                () -> assertThat(replica).doesNotHaveEnv("WORKER_NUM"),
                "replica elasticdl-mnist-worker-2 (worker 2): expected no variable WORKER_NUM, was \"4\"");
    }

    @Test
    void name_index_endpoint_and_port() {
        fails(
                () -> assertThat(replica).hasName("worker-2"),
                "replica elasticdl-mnist-worker-2 (worker 2): expected name \"worker-2\", was"
                        + " \"elasticdl-mnist-worker-2\"");
        fails(
                () -> assertThat(replica).hasIndex(1),
                "replica elasticdl-mnist-worker-2 (worker 2): expected index 1, was 2");
        fails(
                () -> assertThat(replica).hasEndpoint("localhost:1"),
                "replica elasticdl-mnist-worker-2 (worker 2): expected endpoint \"localhost:1\", was"
                        + " \"elasticdl-mnist-worker-2.default.svc:3333\"");
        fails(
                () -> assertThat(replica).hasPort(1),
                "replica elasticdl-mnist-worker-2 (worker 2): expected port 1, was 3333");
    }

    @Test
    void priority_class_and_labels() {
        fails(
                () -> assertThat(replica).hasPriorityClass("high"),
                "replica elasticdl-mnist-worker-2 (worker 2): expected priority class \"high\", was \"low\"");
        fails(
                () -> assertThat(replica).hasNoPriorityClass(),
                "replica elasticdl-mnist-worker-2 (worker 2): expected no priority class, was \"low\"");
        fails(
                () -> assertThat(replica).hasLabel("app", "mnist"),
                "replica elasticdl-mnist-worker-2 (worker 2): expected label app=\"mnist\", was \"elasticdl\"");
        fails(
                () -> assertThat(replica).doesNotHaveLabel("app"),
                "replica elasticdl-mnist-worker-2 (worker 2): expected no label app, was \"elasticdl\"");
    }
}
