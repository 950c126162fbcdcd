package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.plan.PlanException;
import dev.edl.plan.Profile;
import org.junit.jupiter.api.Test;

/** Jobs that a framework's version rejects, as verified with the real frameworks. */
class FrameworkVersionTest {
    private static void refused(JobBuilder job, String message) {
        assertThatThrownBy(job::build).isInstanceOf(InvalidJobException.class).hasMessage("job \"j\": " + message);
    }

    private static void planned(JobBuilder job) {
        assertThat(job.build().plan()).isNotNull();
    }

    private static JobBuilder tensorflow(String version) {
        return Job.named("j").tensorflow(version);
    }

    @Test
    void multi_worker_mirrored_takes_no_master() {
        refused(
                tensorflow("2.15").master().workers(2),
                "MultiWorkerMirroredStrategy of TensorFlow 2.15 does not support a master (\"Disallowed task type"
                        + " found in cluster spec\"); use .chief() in its place, or add .ps(1) for an Estimator with"
                        + " parameter servers");
        planned(tensorflow("2.15").chief().workers(2));
        planned(tensorflow("1.15").master().workers(2));
        planned(Job.named("j").tensorflow().master().workers(2));
    }

    @Test
    void the_last_estimator_is_that_of_2_15() {
        refused(
                tensorflow("2.16.1").master().ps(1).workers(2),
                "TensorFlow 2.16.1 has no Estimators, which a master requires; use .chief() in its place");
        planned(tensorflow("2.15.1").master().ps(1).workers(2));
        planned(tensorflow("2.21").chief().ps(1).workers(2));
    }

    @Test
    void an_estimator_takes_no_master_beside_an_evaluator() {
        refused(
                tensorflow("1.15.5").master().ps(1).workers(2).evaluator(),
                "an Estimator of TensorFlow 1.15.5 does not support a master beside an evaluator; use .chief() in its"
                        + " place");
        planned(tensorflow("1.15.5").chief().ps(1).workers(2).evaluator());
    }

    @Test
    void multi_worker_mirrored_takes_no_elastic_workers() {
        refused(
                tensorflow("2.21.0").workers(2).elastic(1, 4),
                "MultiWorkerMirroredStrategy of TensorFlow 2.21.0 does not support elastic workers (\"task_id 1"
                        + " exceeds the maximum id\"); leave .elastic out, or add .ps(1) for ParameterServerStrategy");
        planned(tensorflow("2.21.0").chief().ps(1).workers(2).elastic(1, 4));
    }

    @Test
    void mxnet_s_scheduler_binds_to_a_name_only_with_use_kubernetes() {
        JobBuilder job =
                Job.named("j").mxnet("1.9.1").runId("r").scheduler().servers(1).workers(1);

        assertThatThrownBy(() -> job.build().plan(Profile.MXJOB_V1BETA1))
                .isInstanceOf(PlanException.class)
                .hasMessage(
                        "job \"j\": the scheduler of MXNet 1.9.1 cannot bind to the name j-scheduler-r-0, its address"
                                + " in profile MXJOB_V1BETA1; add .env(\"DMLC_USE_KUBERNETES\", \"1\"), or use"
                                + " another profile");
        planned(job);
        Job told = job.build().toBuilder().env("DMLC_USE_KUBERNETES", "1").build();
        assertThat(told.plan(Profile.MXJOB_V1BETA1).replica("scheduler", 0).env())
                .containsEntry("DMLC_USE_KUBERNETES", "1");
    }

    @Test
    void mxnet_counts_its_workers_once() {
        refused(
                Job.named("j").mxnet("1.9.1").scheduler().servers(1).workers(2).elastic(1, 4),
                "MXNet 1.9.1 counts its workers once, at the start, and hangs with fewer or more; leave .elastic(1, 4) out");
    }

    @Test
    void horovod_is_elastic_from_0_20_on() {
        refused(
                Job.named("j").horovod("0.19.5").launcher().workers(2).elastic(1, 4),
                "Horovod 0.19.5 has a fixed number of workers; elastic workers need 0.20; leave .elastic out");
        planned(Job.named("j").horovod("0.28.1").launcher().workers(2).elastic(1, 4));
        planned(Job.named("j").horovod("0.19.5").launcher().workers(2));
    }

    @Test
    void torchrun_came_with_1_9() {
        refused(
                Job.named("j").pytorch("1.8.1").workers(2),
                "PyTorch 1.8.1 has no torchrun, which 1.9 introduced as torch.distributed.run; use 1.9 or newer");
        planned(Job.named("j").pytorch("1.13.1+cpu").workers(2));
    }
}
