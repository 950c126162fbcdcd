package dev.edl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.env.PyTorchEnv;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.Priority;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import dev.edl.spec.Volume;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobPlanTest {
    private final JobPlan plan = SeedJob.plan();

    @Test
    void names_are_elasticdl_s() {
        assertThat(plan.replica("master", 0).name()).isEqualTo("elasticdl-test-mnist-master");
        assertThat(plan.replica("ps", 1).name()).isEqualTo("elasticdl-test-mnist-ps-1");
        assertThat(plan.replica(RoleType.WORKER, 4, 0).name()).isEqualTo("elasticdl-test-mnist-worker-4");
    }

    @Test
    void a_relaunched_worker_has_its_predecessors_address_and_index_label() {
        ReplicaPlan worker = plan.replica(RoleType.WORKER, 4, 0);

        assertThat(worker.endpoint())
                .isEqualTo(new Endpoint(RoleType.WORKER, 0, "elasticdl-test-mnist-worker-0.default.svc", 3333));
        assertThat(worker.labels())
                .containsExactly(
                        Map.entry("app", "elasticdl"),
                        Map.entry("elasticdl-job-name", "test-mnist"),
                        Map.entry("elasticdl-replica-index", "0"),
                        Map.entry("elasticdl-replica-type", "worker"));
        assertThat(worker.priorityClass()).hasValue("low");
        assertThat(worker)
                .hasToString("elasticdl-test-mnist-worker-4 (worker 4, index 0,"
                        + " elasticdl-test-mnist-worker-0.default.svc:3333)");
    }

    @Test
    void every_default_of_a_role_is_resolved() {
        RolePlan worker = plan.role("worker");

        assertThat(worker.restart()).isEqualTo(RestartPolicy.ON_FAILURE);
        assertThat(worker.exitCodes().free()).containsExactly(137);
        assertThat(worker.exitCodes().fatal()).containsExactly(70);
        assertThat(worker.exitCodes().temporary()).containsExactly(75, 143);
        assertThat(worker.relaunchLimit()).isEqualTo(1);
        assertThat(plan.roles()).extracting(RolePlan::port).containsExactly(50001, 2222, 3333);
        assertThat(plan.roles()).extracting(RolePlan::elastic).containsExactly(false, false, true);
        assertThat(plan.roles()).extracting(r -> r.bounds().toString()).containsExactly("1..1", "2..2", "1..8");
        assertThat(plan.roles()).extracting(RolePlan::leader).containsExactly(true, false, false);
    }

    @Test
    void a_job_succeeds_with_its_leader_or_without_one_with_all_workers() {
        assertThat(plan.success()).isEqualTo(SuccessPolicy.LEADER);
        assertThat(SeedJob.plan(SeedJob.workers(2).build()).success()).isEqualTo(SuccessPolicy.ALL_WORKERS);
    }

    @Test
    void two_plans_of_one_job_are_the_same_bytes() {
        JobPlan again = SeedJob.plan();

        assertThat(again.toYaml()).isEqualTo(plan.toYaml());
        assertThat(again).isEqualTo(plan).hasSameHashCodeAs(plan).hasToString(plan.toString());
    }

    @Test
    void the_run_id_follows_the_content_unless_it_is_given() {
        JobPlan other = SeedJob.plan(SeedJob.spec().namespace("team-a").build());
        JobPlan named = SeedJob.plan(SeedJob.spec().runId("first").build());

        assertThat(plan.runId()).matches("[0-9a-f]{8}").isNotEqualTo(other.runId());
        assertThat(named.runId()).isEqualTo("first");
    }

    @Test
    void the_order_of_variables_and_labels_does_not_change_the_run() {
        RoleTemplate ab =
                RoleTemplate.builder().putEnv("A", "1").putEnv("B", "2").build();
        RoleTemplate ba =
                RoleTemplate.builder().putEnv("B", "2").putEnv("A", "1").build();

        assertThat(SeedJob.plan(SeedJob.workers(1).defaults(ab).build()).runId())
                .isEqualTo(SeedJob.plan(SeedJob.workers(1).defaults(ba).build()).runId());
    }

    @Test
    void the_size_of_the_plan_grows_with_the_roles_only() {
        String small = SeedJob.plan(SeedJob.workers(2).runId("r").build()).toYaml();
        String large = SeedJob.plan(SeedJob.workers(9).runId("r").build()).toYaml();

        assertThat(large).hasSameSizeAs(small);
    }

    @Test
    void a_missing_role_is_reported_with_the_existing_ones() {
        assertThatThrownBy(() -> plan.replica("chief", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"test-mnist\" has no role \"chief\"; it has master, ps, worker");
        assertThatThrownBy(() -> plan.replica("worker", 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"test-mnist\" has no worker 8; ids go from 0 to 7");
    }

    @Test
    void it_reads_as_a_table() {
        assertThat(SeedJob.plan(SeedJob.spec().runId("a1b2c3d4").build()).toString())
                .isEqualTo("""
                        Job test-mnist
                          run         a1b2c3d4
                          namespace   default
                          framework   elasticdl, profile ELASTICDL
                          success     when the leader succeeds: elasticdl-test-mnist-master
                          cleanup     replicas that still run

                        ROLE     REPLICAS   PRIORITY   REQUESTS           IMAGE                         PORT    VOLUMES
                        master   1          high       cpu=2,memory=2Gi   gcr.io/acme/elasticdl:mnist   50001   /data <- claim fileserver-claim
                        ps       2          high       cpu=2,memory=2Gi   gcr.io/acme/elasticdl:mnist   2222    /data <- claim fileserver-claim
                        worker   4 (1..8)   low        cpu=2,memory=2Gi   gcr.io/acme/elasticdl:mnist   3333    /data <- claim fileserver-claim

                        Endpoints
                          master   elasticdl-test-mnist-master.default.svc:50001
                          ps       elasticdl-test-mnist-ps-0.default.svc:2222  to  elasticdl-test-mnist-ps-1.default.svc:2222
                          worker   elasticdl-test-mnist-worker-0.default.svc:3333  to  elasticdl-test-mnist-worker-3.default.svc:3333

                        Environment of elasticdl-test-mnist-worker-0
                          EDL_INDEX     0
                          EDL_ROLE      worker
                          EDL_RUN_ID    a1b2c3d4
                          JOB_NAME      test-mnist
                          MASTER_ADDR   elasticdl-test-mnist-master.default.svc:50001
                          PS_ADDRS      elasticdl-test-mnist-ps-0.default.svc:2222,elasticdl-test-mnist-ps-1.default.svc:2222
                          WORKER_ID     0
                          WORKER_NUM    4
                        """);
    }

    @Test
    void it_is_written_as_yaml() {
        assertThat(SeedJob.plan(SeedJob.workers(2)
                                .runId("r")
                                .defaults(RoleTemplate.builder()
                                        .image("img")
                                        .addArgs("--say", "\"hi\"\n")
                                        .putEnv("B", "2")
                                        .putEnv("A", "1")
                                        .build())
                                .build())
                        .toYaml())
                .isEqualTo("""
                        job: "flat"
                        namespace: "default"
                        runId: "r"
                        framework: "elasticdl"
                        profile: "ELASTICDL"
                        policy:
                          success: "ALL_WORKERS"
                          cleanup: "RUNNING"
                          backoff:
                            initial: "PT0S"
                            factor: "1.0"
                            max: "PT0S"
                        roles:
                          worker:
                            replicas: 2
                            name: "elasticdl-flat-worker-<id>"
                            address: "elasticdl-flat-worker-<index>.default.svc:3333"
                            image: "img"
                            args:
                              - "--say"
                              - "\\"hi\\"\\n"
                            restart: "ON_FAILURE"
                            relaunchLimit: 1
                            freeExitCodes:
                              - "137"
                            fatalExitCodes:
                              - "70"
                            temporaryExitCodes:
                              - "75"
                              - "143"
                            env:
                              "A": "1"
                              "B": "2"
                            frameworkEnv:
                              - "EDL_INDEX"
                              - "EDL_ROLE"
                              - "EDL_RUN_ID"
                              - "JOB_NAME"
                              - "WORKER_ID"
                              - "WORKER_NUM"
                        """);
    }

    @Test
    void every_replica_of_the_start_has_its_own_endpoint() {
        assertThat(plan.endpoints(plan.role("ps")).stream()
                        .map(Endpoint::address)
                        .toList())
                .isEqualTo(List.of(
                        "elasticdl-test-mnist-ps-0.default.svc:2222", "elasticdl-test-mnist-ps-1.default.svc:2222"));
    }

    @Test
    void other_addresses_change_only_the_environments_of_a_plan() {
        JobPlan local = plan.reachedBy((role, index) -> new Endpoint(role, index, "127.0.0.1", 20_000 + index));

        assertThat(local.replica("worker", 2).endpoint()).hasToString("127.0.0.1:20002");
        assertThat(local.replica("worker", 2).env())
                .containsEntry("MASTER_ADDR", "127.0.0.1:20000")
                .containsEntry("PS_ADDRS", "127.0.0.1:20000,127.0.0.1:20001");
        assertThat(local.runId()).isEqualTo(plan.runId());
        assertThat(local.replica("worker", 2).name())
                .isEqualTo(plan.replica("worker", 2).name());
        assertThat(local.toYaml())
                .contains("    addresses:\n      - \"127.0.0.1:20000\"\n      - \"127.0.0.1:20001\"\n");
        assertThat(local).isNotEqualTo(plan);
    }

    @Test
    void each_setting_of_a_volume_makes_another_plan_and_another_run() {
        Volume cache = Volume.hostPath("/mnt/disk1", "/cache");
        List<JobPlan> plans = Stream.of(cache, cache.type("Directory"), cache.subPath("mnist"), cache.readOnly(true))
                .map(volume -> SeedJob.plan(SeedJob.spec()
                        .defaults(RoleTemplate.builder().addVolumes(volume).build())
                        .build()))
                .toList();

        assertThat(plans).extracting(JobPlan::runId).doesNotHaveDuplicates();
        assertThat(plans).extracting(JobPlan::toYaml).doesNotHaveDuplicates();
        assertThat(plans.get(1).toYaml()).contains("- \"/cache <- host /mnt/disk1, type Directory\"");
        assertThat(plans.get(2).toYaml()).contains("- \"/cache <- host /mnt/disk1, sub path mnist\"");
        assertThat(plans.get(3).toYaml()).contains("- \"/cache <- host /mnt/disk1, read only\"");
    }

    /** ElasticDL's rule applies to the initial workers: ceil(4 * 0.5) are high. */
    @Test
    void workers_that_scaling_adds_are_low_where_a_fraction_is_high() {
        JobPlan half = SeedJob.plan(SeedJob.spec()
                .roles(List.of(
                        SeedJob.role(RoleType.MASTER, 1),
                        RoleSpec.builder()
                                .type(RoleType.WORKER)
                                .replicas(4)
                                .elastic(new ElasticBounds(1, 8))
                                .template(RoleTemplate.builder()
                                        .priority(Priority.fraction(0.5))
                                        .build())
                                .build()))
                .build());

        assertThat(IntStream.range(0, 8)
                        .mapToObj(
                                id -> half.replica("worker", id).priorityClass().orElseThrow()))
                .containsExactly("high", "low", "low", "high", "low", "low", "low", "low");
    }

    @Test
    void plans_by_rules_that_give_other_values_are_not_equal() {
        JobSpec torch =
                SeedJob.of(Framework.PYTORCH, SeedJob.role(RoleType.WORKER, 2)).build();
        PyTorchEnv rule = PyTorchEnv.of(Profile.ELASTICDL);

        assertThat(Planner.plan(torch, rule.processes("4")))
                .isEqualTo(Planner.plan(torch, rule.processes("4")))
                .isNotEqualTo(Planner.plan(torch, rule.processes("2")));
    }
}
