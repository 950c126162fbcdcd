package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exit code policies of other systems, as policies of a job. The numbers are those of the other systems' vectors. */
class ForeignPoliciesTest {
    private static final Map<String, ExitCodePolicy> POLICIES = Map.of(
            "TFJOB_V1ALPHA1", ExitCodePolicy.TFJOB_V1ALPHA1,
            "MXJOB_V1BETA1", ExitCodePolicy.MXJOB_V1BETA1,
            "KUBEFLOW", ExitCodePolicy.KUBEFLOW,
            "KUBEFLOW_1_4", ExitCodePolicy.KUBEFLOW_1_4);

    private static Trial job(ExitCodePolicy policy) {
        JobPlan plan = Job.named("j")
                .tensorflow()
                .exitCodes(policy)
                .relaunchLimit(0)
                .master()
                .workers(2)
                .build()
                .plan();
        return Trial.running(plan);
    }

    // and the operator's own: {0} is not a failure, {1} no retry, {244} a retry, {244, OOMKilled}
    // none.
    @ParameterizedTest
    @CsvSource({
        "100, , false",
        "137, , true",
        "137, OOMKilled, false",
        "1, , false",
        "244, some reason, true",
        "244, OOMKilled, false",
    })
    void tfjob_retries_signals_and_never_want_of_memory(int code, String reason, boolean retried) {
        Trial job = job(ExitCodePolicy.TFJOB_V1ALPHA1);

        job.exits("worker-0", code)
                .change("worker-0", o -> reason == null ? o : o.withReason(reason))
                .decide();

        assertThat(job.actions().contains("create worker-2")).isEqualTo(retried);
        assertThat(job.replica("worker-0").stage() == ReplicaStage.FAILED).isEqualTo(!retried);
    }

    // Code 75 requests a retry in ElasticDL's policy only.
    @ParameterizedTest
    @CsvSource({
        "TFJOB_V1ALPHA1, false, RUNNING",
        "MXJOB_V1BETA1, true, RUNNING",
        "KUBEFLOW, false, FAILED",
        "KUBEFLOW_1_4, false, FAILED"
    })
    void a_temporary_failure_means_nothing_to_other_systems(String name, boolean retried, JobPhase phase) {
        ExitCodePolicy policy = Objects.requireNonNull(POLICIES.get(name));
        assertThat(policy.temporary()).isEmpty();
        Trial job = job(policy);

        job.exits("worker-0", 75).decide();

        assertThat(job.actions().contains("create worker-2")).isEqualTo(retried);
        assertThat(job.state.phase()).isEqualTo(phase);
    }

    // the node starts a container again whatever its code, and what has failed has failed.
    @Test
    void a_failed_replica_stays_failed_even_if_observed_running() {
        Trial job = job(ExitCodePolicy.TFJOB_V1ALPHA1);
        job.exits("worker-0", 100).decide();

        job.change("worker-0", o -> ObservedReplica.of(o.name(), o.role(), o.id(), ObservedPhase.RUNNING))
                .decide();

        assertThat(job.replica("worker-0").stage()).isEqualTo(ReplicaStage.FAILED);
        assertThat(job.actions()).doesNotContain("create worker-2");
    }

    //
    @Test
    void a_job_whose_master_succeeded_has_succeeded_though_a_worker_failed() {
        Trial job = job(ExitCodePolicy.TFJOB_V1ALPHA1);

        job.exits("worker-0", 1).exits("master", 0).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.SUCCEEDED);
    }

    //
    @Test
    void a_job_whose_master_runs_goes_on_though_a_worker_failed() {
        Trial job = job(ExitCodePolicy.TFJOB_V1ALPHA1);

        job.exits("worker-0", 1).decide();

        assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
    }

    // the operator itself overwrote the phase of an ended job when it was started again.
    @Test
    void an_ended_job_stays_as_it_ended() {
        Trial job = job(ExitCodePolicy.TFJOB_V1ALPHA1);
        job.exits("master", 0).decide();

        job.exits("worker-0", 1).decide();
        assertThat(job.state.phase()).isEqualTo(JobPhase.SUCCEEDED);

        job.objects.clear();
        job.decide();
        assertThat(job.state.phase()).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(job.actions()).as("nothing is created anew").isEmpty();
    }

    // B-03
    @ParameterizedTest
    @CsvSource({"130, true, true", "139, false, true", "200, false, true", "1, false, false", "138, true, true"})
    void kubeflow_retried_some_codes_and_later_every_signal(int code, boolean before, boolean since) {
        for (boolean recent : new boolean[] {false, true}) {
            Trial job = job(recent ? ExitCodePolicy.KUBEFLOW : ExitCodePolicy.KUBEFLOW_1_4);

            job.exits("worker-0", code).decide();

            assertThat(job.actions().contains("create worker-2"))
                    .as(recent ? "since 1.5" : "up to 1.4")
                    .isEqualTo(recent ? since : before);
            assertThat(job.state.phase()).isEqualTo((recent ? since : before) ? JobPhase.RUNNING : JobPhase.FAILED);
        }
    }

    // C-04: the first MxJob operator retried code 1 without a message without limit; EDL treats it as a failure.
    @ParameterizedTest
    @CsvSource({"1, , true", "244, , true", "137, OOMKilled, false"})
    void mxjob_retried_failures_without_a_message_and_its_fix_does_not(int code, String reason, boolean legacy) {
        for (boolean mended : new boolean[] {false, true}) {
            Trial job = job(mended ? ExitCodePolicy.TFJOB_V1ALPHA1 : ExitCodePolicy.MXJOB_V1BETA1);

            job.exits("worker-0", code)
                    .change("worker-0", o -> reason == null ? o : o.withReason(reason))
                    .decide();

            boolean retried = mended ? code == 244 : legacy;
            assertThat(job.actions().contains("create worker-2"))
                    .as(mended ? "mended" : "legacy")
                    .isEqualTo(retried);
            assertThat(job.replica("worker-0").stage() == ReplicaStage.FAILED).isEqualTo(!retried);
            assertThat(job.state.phase()).isEqualTo(JobPhase.RUNNING);
        }
    }
}
