package dev.edl.operators.crd.tfjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.operators.crd.Golden;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.status.JobPhase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TfJobStatusesTest {
    private static String resource(TfJobRelease release, String status) {
        return "apiVersion: " + release.apiVersion() + "\nkind: " + release.kind() + "\nmetadata: {name: x}\nstatus: "
                + status + "\n";
    }

    // F.1
    @Test
    void the_example_of_the_operator_has_succeeded_though_worker_and_ps_still_run() {
        assertThat(TfJobStatuses.read(Golden.file("tf_job_done.yaml")))
                .isEqualTo(new ResourceStatus(JobPhase.SUCCEEDED, ""));
    }

    //
    @Test
    void a_11_a_job_whose_operator_was_started_again_stays_succeeded() {
        String status = "{phase: Failed, state: Succeeded, reason: \"unexpected TfJob phase: Done\"}";

        assertThat(TfJobStatuses.read(resource(TfJobRelease.TENSORFLOW, status)))
                .isEqualTo(new ResourceStatus(JobPhase.SUCCEEDED, ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|PENDING",
                "{phase: \"\", state: \"\", reason: \"\"}|PENDING",
                "{phase: Creating, state: \"\"}|PENDING",
                "{phase: Creating, state: Running}|PENDING",
                "{phase: Running, state: \"\"}|RUNNING",
                "{phase: Running, state: Running}|RUNNING",
                "{phase: CleanUp, state: Failed}|FAILED",
                "{phase: Done, state: Failed}|FAILED",
                "{phase: Failed, state: \"\", reason: \"invalid job spec: The MASTER must have Replicas = 1\"}"
                        + "|FAILED: invalid job spec: The MASTER must have Replicas = 1",
            })
    void the_state_counts_before_the_phase(String status, String read) {
        assertThat(TfJobStatuses.read(resource(TfJobRelease.TENSORFLOW, status)))
                .hasToString(read);
    }

    @ParameterizedTest
    @EnumSource
    void each_generation_has_the_same_status(TfJobRelease release) {
        assertThat(TfJobStatuses.read(resource(release, "{phase: Done, state: Succeeded}"))
                        .phase())
                .isEqualTo(JobPhase.SUCCEEDED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{phase: Done}|status.state must be Succeeded or Failed in phase Done, was \"\"",
                "{phase: Finished}|status.phase must be one of Creating, Running, CleanUp, Failed, Done, was \"Finished\"",
                "{state: Ok}|status.state must be one of Running, Succeeded, Failed, Unknown, was \"Ok\"",
            })
    void what_no_operator_wrote_is_refused(String status, String message) {
        assertThatThrownBy(() -> TfJobStatuses.read(resource(TfJobRelease.TENSORFLOW, status)))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage("TfJob \"x\": " + message);
    }
}
