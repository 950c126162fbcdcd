package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.Profile;
import dev.edl.spec.RoleType;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TensorFlowEnvTest {
    private static JobBuilder job() {
        return Job.named("j").tensorflow();
    }

    private static JobBuilder dynamic() {
        return job().chief().ps(2).workers(2).elastic(1, 4);
    }

    private static Optional<String> config(JobPlan plan, RoleType role, int index) {
        return Optional.ofNullable(plan.replica(role, index, index).env().get("TF_CONFIG"));
    }

    // B-01, and Kubeflow's own vectors beside it
    @Test
    void a_kubeflow_job_of_one_replica_has_no_tf_config() {
        assertThat(config(job().workers(1).build().plan(Profile.KUBEFLOW_V1), RoleType.WORKER, 0))
                .isEmpty();
        assertThat(config(job().workers(1).ps(1).build().plan(Profile.KUBEFLOW_V1), RoleType.WORKER, 0))
                .isPresent();
        assertThat(config(job().chief().workers(1).build().plan(Profile.KUBEFLOW_V1), RoleType.WORKER, 0))
                .isPresent();
    }

    @Test
    void the_first_tfjob_gave_it_to_a_single_replica_too() {
        assertThat(config(job().runId("r").master().build().plan(Profile.TFJOB_V1ALPHA1), RoleType.MASTER, 0))
                .hasValue(
                        "{\"cluster\":{\"master\":[\"j-master-r-0:2222\"]},\"task\":{\"type\":\"master\",\"index\":0},"
                                + "\"environment\":\"cloud\"}");
    }

    @Test
    void the_variable_of_a_single_replica_can_be_set() {
        JobPlan with = job().workers(1)
                .build()
                .plan(Profile.ELASTICDL, TensorFlowEnv.of(Profile.ELASTICDL).whenSingle(true));

        assertThat(config(with, RoleType.WORKER, 0))
                .hasValue("{\"cluster\":{\"worker\":[\"elasticdl-j-worker-0.default.svc:2222\"]},"
                        + "\"task\":{\"type\":\"worker\",\"index\":0}}");
    }

    // Kubeflow's own vector: one evaluator, one ps, one worker in ns3.
    @Test
    void kubeflow_has_the_evaluator_in_the_cluster() {
        Job job = Job.named("j")
                .namespace("ns3")
                .tensorflow()
                .workers(1)
                .ps(1)
                .evaluator()
                .build();

        assertThat(config(job.plan(Profile.KUBEFLOW_V1), RoleType.WORKER, 0))
                .hasValue(
                        "{\"cluster\":{\"evaluator\":[\"j-evaluator-0.ns3.svc:2222\"],\"ps\":[\"j-ps-0.ns3.svc:2222\"],"
                                + "\"worker\":[\"j-worker-0.ns3.svc:2222\"]},\"task\":{\"type\":\"worker\",\"index\":0},"
                                + "\"environment\":\"cloud\"}");
    }

    @Test
    void the_place_of_the_evaluator_can_be_set() {
        Job job = job().workers(2).evaluator().build();
        JobPlan outside = job.plan(
                Profile.KUBEFLOW_V1, TensorFlowEnv.of(Profile.KUBEFLOW_V1).evaluatorInCluster(false));

        assertThat(config(outside, RoleType.EVALUATOR, 0))
                .hasValue("{\"cluster\":{\"worker\":[\"j-worker-0.default.svc:2222\",\"j-worker-1.default.svc:2222\"]},"
                        + "\"task\":{\"type\":\"evaluator\",\"index\":0},\"environment\":\"cloud\"}");
    }

    // B-02
    @Test
    void a_dynamic_worker_of_kubeflow_sees_itself_and_the_parameter_servers() {
        JobPlan plan = dynamic().build().plan(Profile.KUBEFLOW_V1);

        assertThat(config(plan, RoleType.WORKER, 1))
                .hasValue("{\"cluster\":{\"worker\":{\"1\":\"j-worker-1.default.svc:2222\"},"
                        + "\"ps\":[\"j-ps-0.default.svc:2222\",\"j-ps-1.default.svc:2222\"]},"
                        + "\"task\":{\"type\":\"worker\",\"index\":1}}");
        assertThat(config(plan, RoleType.PS, 1))
                .hasValue("{\"cluster\":{\"worker\":{},\"ps\":[\"j-ps-1.default.svc:2222\"]},"
                        + "\"task\":{\"type\":\"ps\",\"index\":1}}");
        assertThat(config(plan, RoleType.CHIEF, 0))
                .hasValue("{\"cluster\":{\"worker\":{},\"ps\":[]},\"task\":{\"type\":\"chief\",\"index\":0}}");
    }

    // B-02, up to 1.6
    @Test
    void kubeflow_1_6_used_another_key_for_dynamic_workers() {
        TensorFlowEnv before = TensorFlowEnv.of(Profile.KUBEFLOW_V1).underSparseCluster();
        JobPlan plan = dynamic().build().plan(Profile.KUBEFLOW_V1, before);

        assertThat(config(plan, RoleType.WORKER, 1))
                .hasValue("{\"sparseCluster\":{\"worker\":{\"1\":\"j-worker-1.default.svc:2222\"},"
                        + "\"ps\":[\"j-ps-0.default.svc:2222\",\"j-ps-1.default.svc:2222\"]},"
                        + "\"task\":{\"type\":\"worker\",\"index\":1}}");
        assertThat(before).hasToString("TensorFlowEnv (KUBEFLOW_V1, evaluator in cluster, under sparseCluster)");
        assertThatThrownBy(() -> TensorFlowEnv.of(Profile.ELASTICDL).underSparseCluster())
                .hasMessage("sparseCluster belongs to profile KUBEFLOW_V1, this rule is for ELASTICDL; leave"
                        + " underSparseCluster() out");
    }

    @Test
    void a_dynamic_worker_of_kubeflow_without_parameter_servers_sees_null() {
        JobPlan plan = job().workers(2).elastic(1, 4).build().plan(Profile.KUBEFLOW_V1);
        String json = config(plan, RoleType.WORKER, 0).orElseThrow();

        assertThat(json)
                .isEqualTo("{\"cluster\":{\"worker\":{\"0\":\"j-worker-0.default.svc:2222\"},\"ps\":null},"
                        + "\"task\":{\"type\":\"worker\",\"index\":0}}");
        assertThat(TfConfig.parse(json).json()).isEqualTo(json);
    }

    @Test
    void an_elastic_worker_of_elasticdl_sees_itself_and_the_fixed_roles() {
        JobPlan plan = dynamic().build().plan();

        assertThat(config(plan, RoleType.WORKER, 3))
                .hasValue("{\"cluster\":{\"chief\":[\"elasticdl-j-chief.default.svc:2222\"],"
                        + "\"ps\":[\"elasticdl-j-ps-0.default.svc:2222\",\"elasticdl-j-ps-1.default.svc:2222\"],"
                        + "\"worker\":{\"3\":\"elasticdl-j-worker-3.default.svc:2222\"}},"
                        + "\"task\":{\"type\":\"worker\",\"index\":3}}");
        assertThat(config(plan, RoleType.CHIEF, 0))
                .hasValue("{\"cluster\":{\"chief\":[\"elasticdl-j-chief.default.svc:2222\"],"
                        + "\"ps\":[\"elasticdl-j-ps-0.default.svc:2222\",\"elasticdl-j-ps-1.default.svc:2222\"],"
                        + "\"worker\":[\"elasticdl-j-worker-0.default.svc:2222\",\"elasticdl-j-worker-1.default.svc:2222\"]},"
                        + "\"task\":{\"type\":\"chief\",\"index\":0}}");
    }

    //
    @Test
    void by_other_profiles_a_tf_config_of_the_user_is_replaced() {
        Job job = job().workers(2).env("TF_CONFIG", "{}").env("LANG", "C").build();

        assertThat(job.plan(Profile.KUBEFLOW_V1).replica("worker", 1).env())
                .containsEntry("LANG", "C")
                .containsEntry(
                        "TF_CONFIG",
                        "{\"cluster\":{\"worker\":[\"j-worker-0.default.svc:2222\",\"j-worker-1.default.svc:2222\"]},"
                                + "\"task\":{\"type\":\"worker\",\"index\":1},\"environment\":\"cloud\"}");
        assertThatThrownBy(job::plan)
                .isInstanceOf(PlanException.class)
                .hasMessage(
                        "job \"j\": worker.env sets TF_CONFIG, which the plan computes for framework tensorflow; leave"
                                + " it out");
    }

    @Test
    void a_tf_config_above_the_limit_of_linux_is_refused_with_a_fix() {
        // 4000 addresses elasticdl-j-worker-N.default.svc:2222, in quotes and with commas, and the rest of the text.
        int digits = 10 + 90 * 2 + 900 * 3 + 3000 * 4;
        int bytes = "TF_CONFIG=".length()
                + "{\"cluster\":{\"worker\":[]},\"task\":{\"type\":\"worker\",\"index\":3999}}".length()
                + 4000 * "\"elasticdl-j-worker-.default.svc:2222\"".length()
                + digits
                + 3999
                + 1;

        assertThatThrownBy(() -> job().workers(4000).build().plan())
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"j\": environment variable TF_CONFIG of elasticdl-j-worker-3999 takes " + bytes
                        + " bytes; Linux takes at most 131072; use fewer replicas, or a shorter job name or namespace, or"
                        + " elastic workers and plan(Profile.KUBEFLOW_V1), by which a replica sees the parameter servers"
                        + " and itself at most");
        assertThat(job().workers(4000).elastic(1, 4000).build().plan(Profile.KUBEFLOW_V1))
                .isNotNull();
    }

    @Test
    void it_reads_as_what_it_does() {
        assertThat(TensorFlowEnv.of(Profile.KUBEFLOW_V1))
                .hasToString("TensorFlowEnv (KUBEFLOW_V1, evaluator in cluster)");
        assertThat(TensorFlowEnv.of(Profile.TFJOB_V1ALPHA1)).hasToString("TensorFlowEnv (TFJOB_V1ALPHA1, when single)");
    }
}
