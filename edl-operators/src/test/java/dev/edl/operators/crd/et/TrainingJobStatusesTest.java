package dev.edl.operators.crd.et;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingJobStatusesTest {
    private static String resource(String spec, String status) {
        return "apiVersion: kai.alibabacloud.com/v1alpha1\nkind: TrainingJob\nmetadata: {name: x}\nspec: " + spec
                + "\nstatus: " + status + "\n";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|PENDING",
                "{phase: Created}|PENDING",
                "{phase: Suspended}|SUSPENDED",
                "{phase: Running}|RUNNING",
                "{phase: Scaling, conditions: [{type: Running, status: \"True\", message: it runs}, {type: Scaling, status:"
                        + " \"True\", message: scalein default/less}]}|RUNNING: scalein default/less",
                "{phase: Succeeded, conditions: [{type: Succeeded, status: \"True\", reason: TrainingJobSucceeded}]}"
                        + "|SUCCEEDED: TrainingJobSucceeded",
                "{phase: Failed, restartCount: 0}|FAILED",
            })
    void the_phase_counts_and_its_condition_has_the_reason(String status, String read) {
        assertThat(TrainingJobStatuses.read(resource("{restartPolicy: Never}", status)))
                .hasToString(read);
    }

    // D.7
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{restartPolicy: OnFailure}|0|RUNNING: it is started again, 1 of 6",
                "{restartPolicy: OnFailure}|6|FAILED",
                "{restartPolicy: OnFailure, backoffLimit: 2}|1|RUNNING: it is started again, 2 of 2",
                "{restartPolicy: OnFailure, backoffLimit: 0}|0|FAILED",
                "{backoffLimit: 2}|0|FAILED",
            })
    void a_job_that_is_started_again_has_not_ended(String spec, int count, String read) {
        assertThat(TrainingJobStatuses.read(resource(spec, "{phase: Failed, restartCount: " + count + "}")))
                .hasToString(read);
    }

    @Test
    void a_phase_that_the_operator_does_not_have_is_refused() {
        assertThatThrownBy(() -> TrainingJobStatuses.read(resource("{}", "{phase: Success}")))
                .hasMessage(
                        "TrainingJob \"x\": status.phase must be one of Created, Running, Scaling, Succeeded, Failed,"
                                + " Suspended, was \"Success\"");
    }
}
