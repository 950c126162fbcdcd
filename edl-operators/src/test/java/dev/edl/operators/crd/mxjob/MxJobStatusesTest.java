package dev.edl.operators.crd.mxjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MxJobStatusesTest {
    // C.5: keys without a value are left out there
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mlkube.io/v1beta1|{controlPaused: false, replicaStatuses: null}|PENDING",
                "mxnet.mlkube.io/v1beta1|{phase: Creating}|PENDING",
                "mxnet.mlkube.io/v1beta1|{phase: Running}|RUNNING",
                "mlkube.io/v1beta1|{phase: Done, state: Succeeded}|SUCCEEDED",
                "mxnet.mlkube.io/v1beta1|{phase: Done, state: Failed}|FAILED",
                "mxnet.mlkube.io/v1beta1|{phase: Failed, state: Succeeded, reason: \"unexpected MxJob phase: Done\"}|SUCCEEDED",
                "mxnet.mlkube.io/v1beta1|{phase: Failed, reason: \"invalid job spec: unkonw job mode fast\"}|FAILED: invalid job"
                        + " spec: unkonw job mode fast",
            })
    void the_state_counts_before_the_phase(String type, String status, String read) {
        assertThat(MxJobStatuses.read("apiVersion: " + type + "\nkind: MxJob\nmetadata: {name: x}\nstatus: " + status))
                .hasToString(read);
    }

    @Test
    void a_resource_of_another_kind_is_refused() {
        assertThatThrownBy(() -> MxJobStatuses.read("apiVersion: kubeflow.org/v1\nkind: MXJob\nmetadata: {name: x}\n"))
                .hasMessage("MXJob \"x\": apiVersion and kind must be one of mlkube.io/v1beta1 MxJob,"
                        + " mxnet.mlkube.io/v1beta1 MxJob, were kubeflow.org/v1 MXJob");
    }
}
