package dev.edl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.spec.RoleType;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Names, labels and addresses of the seed operators' golden tables. */
class ProfileNamesTest {
    private static JobBuilder exampleJob() {
        return Job.named("example-job").tensorflow().master().workers(1).ps(2);
    }

    private static JobBuilder exampleDistJob() {
        return Job.named("example-dist-job")
                .mxnet()
                .runId("1kkf")
                .scheduler()
                .servers(2)
                .workers(3);
    }

    private static JobBuilder elasticTraining() {
        return Job.named("elastic-training").horovod().launcher().workers(2).elastic(1, 9);
    }

    // F.1
    @Test
    void tfjob_v1alpha1_has_the_run_id_in_names_and_five_labels() {
        JobPlan plan = exampleJob().runId("76no").build().plan(Profile.TFJOB_V1ALPHA1);

        assertThat(plan.profile()).isEqualTo(Profile.TFJOB_V1ALPHA1);
        assertThat(plan.replica("master", 0).name()).isEqualTo("example-job-master-76no-0");
        assertThat(plan.replica("ps", 1).endpoint()).hasToString("example-job-ps-76no-1:2222");
        assertThat(plan.replica("ps", 1).labels())
                .containsExactly(
                        entry("job_type", "PS"),
                        entry("runtime_id", "76no"),
                        entry("task_index", "1"),
                        entry("tensorflow.org", ""),
                        entry("tf_job_name", "example-job"));
        assertThat(plan.selector())
                .containsExactly(
                        entry("runtime_id", "76no"), entry("tensorflow.org", ""), entry("tf_job_name", "example-job"));
    }

    // F.4
    @Test
    void kubeflow_v1_numbers_every_role_and_labels_the_leader() {
        JobPlan plan = exampleJob().build().plan(Profile.KUBEFLOW_V1);

        assertThat(plan.replica("master", 0).name()).isEqualTo("example-job-master-0");
        assertThat(plan.replica("worker", 0).endpoint()).hasToString("example-job-worker-0.default.svc:2222");
        assertThat(plan.replica("master", 0).labels())
                .containsExactly(
                        entry("training.kubeflow.org/job-name", "example-job"),
                        entry("training.kubeflow.org/job-role", "master"),
                        entry("training.kubeflow.org/operator-name", "tfjob-controller"),
                        entry("training.kubeflow.org/replica-index", "0"),
                        entry("training.kubeflow.org/replica-type", "master"));
        assertThat(plan.replica("worker", 0).labels()).doesNotContainKey("training.kubeflow.org/job-role");
    }

    @Test
    void kubeflow_s_first_worker_leads_a_job_without_chief_and_master() {
        JobPlan plan = Job.named("j").tensorflow().workers(2).build().plan(Profile.KUBEFLOW_V1);

        assertThat(plan.replica("worker", 0).labels()).containsEntry("training.kubeflow.org/job-role", "master");
        assertThat(plan.replica("worker", 1).labels()).doesNotContainKey("training.kubeflow.org/job-role");
    }

    // F.2
    @Test
    void mxjob_v1beta1_has_no_label_with_the_job_s_name() {
        JobPlan plan = exampleDistJob().build().plan(Profile.MXJOB_V1BETA1);

        assertThat(plan.replica("scheduler", 0).name()).isEqualTo("example-dist-job-scheduler-1kkf-0");
        assertThat(plan.replica("worker", 2).endpoint()).hasToString("example-dist-job-worker-1kkf-2:9091");
        assertThat(plan.replica("server", 1).labels())
                .containsExactly(
                        entry("job_type", "SERVER"),
                        entry("mxnet.mlkube.io", ""),
                        entry("runtime_id", "1kkf"),
                        entry("task_index", "1"));
    }

    // F.3, D.4
    @Test
    void et_v1alpha1_numbers_workers_only() {
        JobPlan plan = elasticTraining().build().plan(Profile.ET_V1ALPHA1);

        assertThat(plan.replica("launcher", 0).name()).isEqualTo("elastic-training-launcher");
        assertThat(plan.replica("launcher", 0).labels())
                .containsExactly(
                        entry("group-name", "kai.alibabacloud.com"),
                        entry("training-job-name", "elastic-training"),
                        entry("training-job-role", "launcher"));
        assertThat(plan.replica("worker", 1).name()).isEqualTo("elastic-training-worker-1");
        assertThat(plan.replica("worker", 1).labels())
                .containsExactly(
                        entry("group-name", "kai.alibabacloud.com"),
                        entry("replica-index", "1"),
                        entry("training-job-name", "elastic-training"),
                        entry("training-job-role", "worker"));
    }

    @Test
    void other_frameworks_of_kubeflow_have_their_operator_s_name_and_short_addresses() {
        assertThat(elasticTraining().build().plan(Profile.KUBEFLOW_V1).replica("worker", 1))
                .hasToString("elastic-training-worker-1 (worker 1, index 1, elastic-training-worker-1:22)");
        assertThat(exampleDistJob().build().plan(Profile.KUBEFLOW_V1).replica("scheduler", 0))
                .hasToString("example-dist-job-scheduler-0 (scheduler 0, index 0, example-dist-job-scheduler-0:9091)");
        assertThat(Job.named("j")
                        .pytorch()
                        .master()
                        .workers(1)
                        .build()
                        .plan(Profile.KUBEFLOW_V1)
                        .replica("master", 0))
                .hasToString("j-master-0 (master 0, index 0, j-master-0:23456)");
        assertThat(elasticTraining().build().plan(Profile.KUBEFLOW_V1).selector())
                .containsEntry("training.kubeflow.org/operator-name", "mpijob-controller");
    }

    //
    @Test
    void tfjob_v1alpha1_cuts_a_name_after_forty_characters_but_not_its_label() {
        String name = "abcdefghij".repeat(5);
        ReplicaPlan worker = Job.named(name)
                .tensorflow()
                .runId("76no")
                .workers(1)
                .build()
                .plan(Profile.TFJOB_V1ALPHA1)
                .replica("worker", 0);

        assertThat(worker.name()).isEqualTo("abcdefghijabcdefghijabcdefghijabcdefghij-worker-76no-0");
        assertThat(worker.labels()).containsEntry("tf_job_name", name);
    }

    @Test
    void a_derived_run_id_within_names_has_four_letters_and_digits() {
        Job job = exampleJob().build();

        assertThat(job.plan(Profile.TFJOB_V1ALPHA1).runId()).matches("[0-9a-z]{4}");
        assertThat(job.plan(Profile.TFJOB_V1ALPHA1)).isEqualTo(job.plan(Profile.TFJOB_V1ALPHA1));
        assertThat(job.plan(Profile.KUBEFLOW_V1).runId()).matches("[0-9a-f]{8}");
        assertThat(job.plan(Profile.TFJOB_V1ALPHA1).replica("ps", 0).name())
                .isEqualTo("example-job-ps-" + job.plan(Profile.TFJOB_V1ALPHA1).runId() + "-0");
    }

    @Test
    void workers_have_fresh_ids_by_elasticdl_only() {
        Job job = exampleJob().build();

        assertThat(job.plan().role("worker").freshIds()).isTrue();
        assertThat(job.plan(Profile.KUBEFLOW_V1).role("worker").freshIds()).isFalse();
    }

    @Test
    void a_plan_can_be_reached_by_other_addresses() {
        JobPlan plan = exampleJob().build().plan();
        Map<RoleType, Integer> ports = Map.of(RoleType.MASTER, 4000, RoleType.PS, 4020, RoleType.WORKER, 4030);
        JobPlan local = plan.reachedBy((role, index) ->
                new Endpoint(role, index, "127.0.0.1", Objects.requireNonNull(ports.get(role)) + index));

        assertThat(local.runId()).isEqualTo(plan.runId());
        assertThat(local.replica(RoleType.WORKER, 7, 0).name()).isEqualTo("elasticdl-example-job-worker-7");
        assertThat(local.replica("ps", 1).env())
                .containsEntry(
                        "TF_CONFIG",
                        "{\"cluster\":{\"master\":[\"127.0.0.1:4000\"],\"ps\":[\"127.0.0.1:4020\",\"127.0.0.1:4021\"],"
                                + "\"worker\":[\"127.0.0.1:4030\"]},\"task\":{\"type\":\"ps\",\"index\":1}}");
        assertThat(local.toYaml()).contains("    addresses:\n      - \"127.0.0.1:4020\"\n      - \"127.0.0.1:4021\"\n");
    }

    @Test
    void a_profile_accepts_only_jobs_of_its_system() {
        assertThatThrownBy(() -> exampleJob().build().plan(Profile.ET_V1ALPHA1))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"example-job\": profile ET_V1ALPHA1 supports horovod, not tensorflow; plan it by"
                        + " another profile, for example plan(Profile.ELASTICDL)");
        assertThatThrownBy(
                        () -> Job.named("j").tensorflow().chief().ps(1).build().plan(Profile.TFJOB_V1ALPHA1))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"j\": profile TFJOB_V1ALPHA1 has the roles master, ps, worker, not chief; plan it by"
                        + " another profile, for example plan(Profile.KUBEFLOW_V1), or make the chief a .master()");
    }

    @Test
    void a_name_must_fit_as_its_profile_makes_it() {
        String name = "a".repeat(60);

        assertThatThrownBy(
                        () -> Job.named(name).tensorflow().workers(11).build().plan(Profile.KUBEFLOW_V1))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"" + name + "\": names such as " + name + "-worker-10 may have at most 63 characters;"
                        + " shorten the job's name by 7");
    }

    // E.C: the operator neither cut such names nor refused them
    @Test
    void a_name_too_long_for_an_mx_job_is_refused_when_planned() {
        String name = "a".repeat(50);
        Job job = exampleDistJob().name(name).build();

        assertThatThrownBy(() -> job.plan(Profile.MXJOB_V1BETA1))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"" + name + "\": names such as " + name + "-scheduler-1kkf-0 may have at most 63"
                        + " characters; shorten the job's name by 4");
    }

    @Test
    void a_label_of_the_profile_is_the_plan_s_own() {
        assertThatThrownBy(
                        () -> exampleJob().label("tf_job_name", "mine").build().plan(Profile.TFJOB_V1ALPHA1))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"example-job\": labels set tf_job_name, by which the job finds its replicas; choose"
                        + " another key, for example team");
    }
}
