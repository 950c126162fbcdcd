package dev.edl.operators.crd.kubeflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.status.JobPhase;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeflowStatusesTest {
    private static String resource(String type, String kind, String status) {
        return "apiVersion: " + type + "\nkind: " + kind + "\nmetadata: {name: x}\nspec: {}\nstatus: " + status + "\n";
    }

    /** Conditions given as {@code Succeeded T, Running F}, oldest first. */
    private static ResourceStatus status(String conditions) {
        String items = Arrays.stream(conditions.split(", "))
                .filter(words -> !words.isEmpty())
                .map(words -> words.split(" "))
                .map(words -> "{type: " + words[0] + ", status: \"" + (words[1].equals("T") ? "True" : "False")
                        + "\", reason: TFJob" + words[0] + ", message: it is " + words[0] + "}")
                .collect(Collectors.joining(", ", "{conditions: [", "]}"));
        return KubeflowStatuses.read(resource("kubeflow.org/v1", "TFJob", items));
    }

    // B-04
    @Test
    void b_04_a_job_that_has_succeeded_has_succeeded_though_Running_was_appended_behind() {
        assertThat(status("Created T, Succeeded T, Running T"))
                .isEqualTo(new ResourceStatus(JobPhase.SUCCEEDED, "it is Succeeded"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|PENDING",
                "Created T|PENDING: it is Created",
                "Created T, Running T|RUNNING: it is Running",
                "Created T, Restarting T|RUNNING: it is Restarting",
                "Created T, Running F, Succeeded T|SUCCEEDED: it is Succeeded",
                "Created T, Running F, Failed T|FAILED: it is Failed",
                "Created T, Failed T, Running T|FAILED: it is Failed",
                "Created T, Succeeded T, Failed T|SUCCEEDED: it is Succeeded",
                "Created T, Failed F, Running T|RUNNING: it is Running",
                "Created T, Running F, Suspended T|SUSPENDED: it is Suspended",
                "Created T, Suspended F, Running T|RUNNING: it is Running",
                "Created T, SomethingNew T|PENDING: it is Created",
            })
    void an_end_counts_before_all_else_and_only_what_holds_counts(String conditions, String status) {
        assertThat(status(conditions == null ? "" : conditions)).hasToString(status);
    }

    @ParameterizedTest
    @CsvSource({
        "kubeflow.org/v1, TFJob",
        "kubeflow.org/v1, PyTorchJob",
        "kubeflow.org/v1, MXJob",
        "kubeflow.org/v1, MPIJob",
        "kubeflow.org/v2beta1, MPIJob"
    })
    void all_kinds_are_read_the_same_way_and_a_reason_stands_in_for_a_message(String type, String kind) {
        String status =
                "{conditions: [{type: Failed, status: \"True\", reason: BackoffLimitExceeded}], startTime: null}";

        assertThat(KubeflowStatuses.read(resource(type, kind, status)))
                .isEqualTo(new ResourceStatus(JobPhase.FAILED, "BackoffLimitExceeded"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "null", "{conditions: null}", "{conditions: []}"})
    void a_resource_without_status_is_pending(String status) {
        assertThat(KubeflowStatuses.read(resource("kubeflow.org/v1", "TFJob", status)))
                .isEqualTo(new ResourceStatus(JobPhase.PENDING, ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kubeflow.org/v1|TFJob|done|TFJob \"x\": status must be a map, was \"done\"; for example"
                        + " {name: value}",
                "kubeflow.org/v1|TFJob|{conditions: done}|TFJob \"x\": status.conditions must be a list, was \"done\";"
                        + " for example [\"done\"]",
                "kubeflow.org/v1|TFJob|{conditions: [done]}|TFJob \"x\": status.conditions[0] must be a map, was \"done\"; for example"
                        + " {name: value}",
                "kubeflow.org/v1|TfJob|{}|TfJob \"x\": apiVersion and kind must be one of kubeflow.org/v1 TFJob,"
                        + " kubeflow.org/v1 PyTorchJob, kubeflow.org/v1 MXJob, kubeflow.org/v1 MPIJob,"
                        + " kubeflow.org/v2beta1 MPIJob, were kubeflow.org/v1 TfJob",
            })
    void what_is_no_such_status_is_refused(String type, String kind, String status, String message) {
        assertThatThrownBy(() -> KubeflowStatuses.read(resource(type, kind, status)))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage(message);
    }
}
