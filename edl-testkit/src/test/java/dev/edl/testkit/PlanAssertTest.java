package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.SuccessPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanAssertTest {
    private final JobPlan plan = Mnist.job().plan();

    @Test
    void assertions_that_hold_chain() {
        List<String> names = new ArrayList<>();
        assertThat(plan)
                .hasName("mnist")
                .hasNamespace("default")
                .hasRunId("r1")
                .hasFramework(Framework.ELASTICDL)
                .hasProfile(Profile.ELASTICDL)
                .hasRoles("master", "ps", "worker")
                .hasLeader("master")
                .hasSuccess(SuccessPolicy.LEADER)
                .hasCleanup(CleanupPolicy.RUNNING)
                .hasEndpoints("ps", "elasticdl-mnist-ps-0.default.svc:2222", "elasticdl-mnist-ps-1.default.svc:2222")
                .hasPriorityClasses("worker", "low", "low", "low", "low")
                .role("ps", ps -> ps.hasReplicas(2))
                .replica("worker", 7, worker -> worker.hasIndex(7))
                .eachReplica("worker", worker -> worker.env("WORKER_ID", names::add))
                .replica("worker", 2)
                .hasEnv("WORKER_ID", "2");
        assertThat(names).containsExactly("0", "1", "2", "3");
    }

    @Test
    void a_value_that_differs_is_shown_beside_the_expected_one() {
        fails(() -> assertThat(plan).hasName("m"), "plan of job \"mnist\": expected name \"m\", was \"mnist\"");
        fails(
                () -> assertThat(plan).hasNamespace("ml"),
                "plan of job \"mnist\": expected namespace \"ml\", was \"default\"");
        fails(() -> assertThat(plan).hasRunId("r2"), "plan of job \"mnist\": expected run id \"r2\", was \"r1\"");
        fails(
                () -> assertThat(plan).hasFramework(Framework.MXNET),
                "plan of job \"mnist\": expected framework mxnet, was elasticdl");
        fails(
                () -> assertThat(plan).hasRoles("worker"),
                "plan of job \"mnist\": expected roles \"worker\", was \"master\", \"ps\", \"worker\"");
        fails(
                () -> assertThat(plan).hasLeader("worker"),
                "plan of job \"mnist\": expected leader \"worker\", was \"master\"");
        fails(
                () -> assertThat(plan).hasSuccess(SuccessPolicy.ALL_WORKERS),
                "plan of job \"mnist\": expected success policy ALL_WORKERS, was LEADER");
        fails(
                () -> assertThat(plan).hasCleanup(CleanupPolicy.NONE),
                "plan of job \"mnist\": expected cleanup policy NONE, was RUNNING");
    }

    @Test
    void endpoints_and_priority_classes_name_the_role() {
        fails(
                () -> assertThat(plan).hasEndpoints("ps", "ps-0:2222"),
                "plan of job \"mnist\": expected endpoints of ps \"ps-0:2222\", was"
                        + " \"elasticdl-mnist-ps-0.default.svc:2222\", \"elasticdl-mnist-ps-1.default.svc:2222\"");
        fails(
                () -> assertThat(plan).hasPriorityClasses("ps", "high", "low"),
                "plan of job \"mnist\": expected priority classes of ps \"high\", \"low\", was \"high\", \"high\"");
    }

    @Test
    void equal_plans_and_such_that_are_not() {
        assertThat(plan).isEqualTo(Mnist.job().plan());
        fails(
                () -> assertThat(plan)
                        .isEqualTo(Mnist.builder().env("LOG", "warn").build().plan()),
                """
                plan of job "mnist": differs from the expected plan (-: expected, +: was):
                @@ -107,7 +107,7 @@
                       - "75"
                       - "143"
                     env:
                -      "LOG": "warn"
                +      "LOG": "debug"
                     frameworkEnv:
                       - "EDL_INDEX"
                       - "EDL_ROLE"
                @@ -142,7 +142,7 @@
                   EDL_ROLE: 'worker'
                   EDL_RUN_ID: 'r1'
                   JOB_NAME: 'mnist'
                -  LOG: 'warn'
                +  LOG: 'debug'
                   MASTER_ADDR: 'elasticdl-mnist-master.default.svc:50001'
                   PS_ADDRS: 'elasticdl-mnist-ps-0.default.svc:2222,elasticdl-mnist-ps-1.default.svc:2222'
                   WORKER_ID: '0'\
                """);
        assertThat(catchThrowable(() -> assertThat(plan).isEqualTo("plan"))).isInstanceOf(AssertionError.class);
    }

    @Test
    void half_of_the_workers_are_high() {
        assertThat(Mnist.job().toBuilder().workers(5).priority("0.5").build().plan())
                .hasPriorityClasses("worker", "high", "high", "low", "low", "high");
    }

    @Test
    void a_missing_role_or_replica_suggests_the_nearest() {
        String message =
                "plan of job \"mnist\": expected a role \"workers\"; did you mean \"worker\"? There are master, ps,"
                        + " worker";
        fails(() -> assertThat(plan).role("workers"), message);
        fails(() -> assertThat(plan).replica("workers", 0), message);
        fails(() -> assertThat(plan).hasEndpoints("workers"), message);
        fails(() -> assertThat(plan).hasPriorityClasses("workers"), message);
        fails(
                () -> assertThat(plan).replica("worker", 8),
                "plan of job \"mnist\": expected a replica worker 8, but ids of worker go from 0 to 7");
        fails(
                () -> assertThat(plan).replica("worker", -1),
                "plan of job \"mnist\": expected a replica worker -1, but ids of worker go from 0 to 7");
    }

    @Test
    void a_null_plan_is_reported() {
        fails(() -> assertThat((JobPlan) null).matchesGolden(), "\nExpecting actual not to be null");
    }
}
