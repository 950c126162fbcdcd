package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.SeedJob;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvRulesTest {
    @Test
    void a_relaunched_elasticdl_worker_has_its_own_id_and_the_old_index() {
        JobPlan plan = SeedJob.plan(SeedJob.spec().runId("r1").build());

        assertThat(plan.replica(RoleType.WORKER, 4, 0).env())
                .containsExactly(
                        Map.entry("EDL_INDEX", "0"),
                        Map.entry("EDL_ROLE", "worker"),
                        Map.entry("EDL_RUN_ID", "r1"),
                        Map.entry("JOB_NAME", "test-mnist"),
                        Map.entry("MASTER_ADDR", "elasticdl-test-mnist-master.default.svc:50001"),
                        Map.entry(
                                "PS_ADDRS",
                                "elasticdl-test-mnist-ps-0.default.svc:2222,elasticdl-test-mnist-ps-1.default.svc:2222"),
                        Map.entry("WORKER_ID", "4"),
                        Map.entry("WORKER_NUM", "4"));
    }

    @Test
    void only_workers_have_a_worker_id() {
        assertThat(SeedJob.plan().replica("ps", 1).env())
                .doesNotContainKey("WORKER_ID")
                .containsEntry("EDL_INDEX", "1");
    }

    @Test
    void the_user_s_variables_come_along() {
        JobPlan plan = SeedJob.plan(SeedJob.workers(1)
                .defaults(RoleTemplate.builder().putEnv("LANG", "C").build())
                .build());

        assertThat(plan.replica("worker", 0).env()).containsEntry("LANG", "C").containsEntry("JOB_NAME", "flat");
    }

    // Kubeflow's own vector (one evaluator, one ps, one worker in ns3), in EDL's names, without "environment", and with
    // the evaluator where TensorFlow wants it, outside the cluster.
    @Test
    void the_evaluator_is_outside_the_cluster() {
        JobPlan plan = SeedJob.plan(SeedJob.of(
                        Framework.TENSORFLOW,
                        SeedJob.role(RoleType.WORKER, 1),
                        SeedJob.role(RoleType.PS, 1),
                        SeedJob.role(RoleType.EVALUATOR, 1))
                .build());

        assertThat(plan.replica("worker", 0).env())
                .containsExactly(Map.entry(
                        "TF_CONFIG",
                        "{\"cluster\":{\"ps\":[\"elasticdl-j-ps-0.ns3.svc:2222\"],"
                                + "\"worker\":[\"elasticdl-j-worker-0.ns3.svc:2222\"]},"
                                + "\"task\":{\"type\":\"worker\",\"index\":0}}"));
    }

    // The TFJob vector "ps 2 on port 22, master on port 42, worker 3 on port 40".
    @Test
    void tf_config_gives_each_role_its_own_port_and_each_task_its_index() {
        JobPlan plan = SeedJob.plan(SeedJob.of(
                        Framework.TENSORFLOW,
                        SeedJob.role(
                                RoleType.PS, 2, RoleTemplate.builder().port(22).build()),
                        SeedJob.role(
                                RoleType.MASTER,
                                1,
                                RoleTemplate.builder().port(42).build()),
                        SeedJob.role(
                                RoleType.WORKER,
                                3,
                                RoleTemplate.builder().port(40).build()))
                .build());

        assertThat(plan.replica(RoleType.WORKER, 7, 2).env())
                .containsExactly(Map.entry(
                        "TF_CONFIG",
                        "{\"cluster\":{\"master\":[\"elasticdl-j-master.ns3.svc:42\"],"
                                + "\"ps\":[\"elasticdl-j-ps-0.ns3.svc:22\",\"elasticdl-j-ps-1.ns3.svc:22\"],"
                                + "\"worker\":[\"elasticdl-j-worker-0.ns3.svc:40\",\"elasticdl-j-worker-1.ns3.svc:40\","
                                + "\"elasticdl-j-worker-2.ns3.svc:40\"]},"
                                + "\"task\":{\"type\":\"worker\",\"index\":2}}"));
    }

    @Test
    void a_tensorflow_job_of_one_worker_is_not_distributed() {
        JobPlan plan = SeedJob.plan(SeedJob.of(Framework.TENSORFLOW, SeedJob.role(RoleType.WORKER, 1))
                .build());

        assertThat(plan.replica("worker", 0).env()).isEmpty();
    }

    // The MxJob of the seeds: one scheduler on 9091, two servers, three workers.
    @Test
    void dmlc_variables_are_mxnet_s() {
        JobPlan plan = SeedJob.plan(SeedJob.of(
                        Framework.MXNET,
                        SeedJob.role(RoleType.SCHEDULER, 1),
                        SeedJob.role(RoleType.SERVER, 2),
                        SeedJob.role(RoleType.WORKER, 3))
                .build());

        assertThat(plan.replica("server", 1).env())
                .containsExactly(
                        Map.entry("DMLC_NUM_SERVER", "2"),
                        Map.entry("DMLC_NUM_WORKER", "3"),
                        Map.entry("DMLC_PS_ROOT_PORT", "9091"),
                        Map.entry("DMLC_PS_ROOT_URI", "elasticdl-j-scheduler.ns3.svc"),
                        Map.entry("DMLC_ROLE", "server"),
                        Map.entry("DMLC_USE_KUBERNETES", "1"));
    }

    // The first MxJob operator refuses the same in words of its own: C-01 and C-02 are in MxJobsTest.
    @Test
    void mxnet_without_servers_allows_a_single_worker_only() {
        assertThat(SeedJob.plan(SeedJob.of(Framework.MXNET, SeedJob.role(RoleType.WORKER, 1))
                                .build())
                        .replica("worker", 0)
                        .env())
                .isEmpty();
        assertThatThrownBy(() -> SeedJob.plan(SeedJob.of(Framework.MXNET, SeedJob.role(RoleType.WORKER, 2))
                        .build()))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"j\": a distributed MXNet job needs the roles scheduler, server and worker; it has no"
                        + " server, add .ps(2), which implies the scheduler");
    }

    @Test
    void a_distributed_mxnet_job_needs_its_three_roles() {
        assertThatThrownBy(() -> SeedJob.plan(SeedJob.of(
                                Framework.MXNET, SeedJob.role(RoleType.SCHEDULER, 1), SeedJob.role(RoleType.WORKER, 3))
                        .build()))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"j\": a distributed MXNet job needs the roles scheduler, server and worker; it has no"
                        + " server, add .ps(2), which implies the scheduler");
    }

    @Test
    void each_framework_s_variables_are_parsed_from_a_replica_of_the_plan() {
        ReplicaPlan mxnet = dev.edl.Job.named("m")
                .mxnet()
                .scheduler()
                .servers(1)
                .workers(2)
                .build()
                .plan()
                .replica("worker", 1);
        ReplicaPlan torch =
                dev.edl.Job.named("m").pytorch().workers(2).build().plan().replica("worker", 1);
        ReplicaPlan own =
                dev.edl.Job.named("m").master().workers(2).build().plan().replica("worker", 1);

        assertThat(DmlcEnv.of(mxnet).orElseThrow().workers()).isEqualTo(2);
        assertThat(TorchrunEnv.of(torch)).contains(TorchrunEnv.parse(torch.env()));
        assertThat(ElasticDlEnv.of(own).orElseThrow().workerId()).hasValue(1);
        assertThat(DmlcEnv.of(own)).isEmpty();
        assertThat(TorchrunEnv.of(own)).isEmpty();
        assertThat(ElasticDlEnv.of(torch)).isEmpty();
    }
}
