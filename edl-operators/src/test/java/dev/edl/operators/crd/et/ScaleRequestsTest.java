package dev.edl.operators.crd.et;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.spec.RoleType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleRequestsTest {
    private static final String IN = """
            apiVersion: kai.alibabacloud.com/v1alpha1
            kind: ScaleIn
            metadata:
              generateName: elastic-training-scalein-
              namespace: default
            spec:
              selector:
                name: elastic-training
              toDelete:
                podNames:
                  - elastic-training-worker-1
              timeout: 60
            """;

    private static final String OUT = """
            apiVersion: kai.alibabacloud.com/v1alpha1
            kind: ScaleOut
            metadata:
              name: more
              namespace: team-a
            spec:
              selector:
                name: elastic-training
              toAdd:
                count: 2
              timeout: 300
            """;

    @Test
    void workers_by_name_go_by_a_ScaleIn() {
        ScaleRequest request = ScaleRequest.in("elastic-training", List.of("elastic-training-worker-1"));

        assertThat(ScaleRequests.write(request).toYaml()).isEqualTo(IN);
        assertThat(ScaleRequests.read(IN)).isEqualTo(new ScaleRequestReadResult(request, List.of()));
    }

    @Test
    void workers_by_number_go_by_a_ScaleIn() {
        ScaleRequest request = ScaleRequest.in("elastic-training", 1);
        String yaml = ScaleRequests.write(request).toYaml();

        assertThat(yaml).contains("  toDelete:\n    count: 1\n");
        assertThat(ScaleRequests.read(yaml)).isEqualTo(new ScaleRequestReadResult(request, List.of()));
    }

    @Test
    void workers_come_by_a_ScaleOut() {
        ScaleRequest request =
                ScaleRequest.out("elastic-training", 2).namespace("team-a").timeout(Duration.ofMinutes(5));

        assertThat(ScaleRequests.write(request, "more").toYaml()).isEqualTo(OUT);
        assertThat(ScaleRequests.read(OUT)).isEqualTo(new ScaleRequestReadResult(request, List.of()));
    }

    @Test
    void a_request_tells_the_number_of_workers_afterwards() {
        ScaleRequest in = ScaleRequest.in("mnist", 1);

        assertThat(in.role()).isEqualTo(RoleType.WORKER);
        assertThat(in.replicas(2)).isEqualTo(1);
        assertThat(ScaleRequest.out("mnist", 2).replicas(1)).isEqualTo(3);
        assertThatThrownBy(() -> in.replicas(1))
                .hasMessage("scaling in by 1 leaves no worker of 1; .spec.toDelete.count should be less than current"
                        + " replicas 1");
        assertThat(in).hasToString("scale default/mnist worker by -1 within PT1M");
    }

    @Test
    void losses_of_a_request_are_reported() {
        String yaml = IN.replace("    podNames:", "    count: 3\n    podNames:")
                .replace("  timeout: 60", "  script: /save.sh\n  env: [{name: A, value: b}]\n  backoffLimit: 2");

        assertThat(ScaleRequests.read(yaml).losses().stream().map(Object::toString))
                .containsExactly(
                        "spec.toDelete.count = 3: the named pods count",
                        "spec.script = /save.sh: a request runs no script of its own",
                        "spec.env = [{\"name\":\"A\",\"value\":\"b\"}]: a request runs no script of its own",
                        "spec.backoffLimit = 2: the operator does not use it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ScaleIn|toDelete: {}|.spec.toDelete.count or .spec.toDelete.podNames, only one of them should be set",
                "ScaleIn|toDelete: {podNames: []}|.spec.toDelete.count or .spec.toDelete.podNames, only one of them should"
                        + " be set",
                "ScaleIn|timeout: 60|.spec.toDelete.count or .spec.toDelete.podNames, only one of them should be set",
                "ScaleOut|timeout: 60|.spec.toAdd.count shouldn't be empty",
                "ScaleOut|toAdd: {}|.spec.toAdd.count shouldn't be empty",
                "ScaleOut|toAdd: {count: 0}|.spec.toAdd.count shouldn be greater than 0",
                "ScaleOut|toAdd: {count: 1, cuont: 2}|spec.toAdd.cuont: unknown key; did you mean \"count\"?",
            })
    void b_what_the_operator_refuses_or_ruins_is_refused(String kind, String change, String message) {
        String yaml = "apiVersion: kai.alibabacloud.com/v1alpha1\nkind: " + kind
                + "\nmetadata: {name: x}\nspec:\n  selector: {name: mnist}\n  " + change + "\n";

        assertThatThrownBy(() -> ScaleRequests.read(yaml))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage(kind + " \"x\": " + message);
    }

    @Test
    void a_request_of_nothing_is_refused() {
        assertThatThrownBy(() -> ScaleRequest.out("mnist", 0))
                .hasMessage("out(job, count) needs a count of at least 1, was 0; for example out(\"mnist\", 2)");
        assertThatThrownBy(() -> ScaleRequest.in("mnist", List.of()))
                .hasMessage("in(job, pods) needs at least one pod, was given none; for example in(\"mnist\","
                        + " List.of(\"mnist-worker-1\"))");
    }

    @Test
    void names_that_cannot_be_workers_are_rejected() {
        assertThatThrownBy(() -> ScaleRequest.in("mnist", List.of("mnist-worker-1", "other-worker-1")))
                .hasMessage("a worker of mnist must be named, was \"other-worker-1\"; for example mnist-worker-1");
        assertThatThrownBy(() -> ScaleRequest.in("mnist", List.of("mnist-worker-1", "mnist-worker-1")))
                .hasMessage("each worker must be named once, was [mnist-worker-1, mnist-worker-1]");
        assertThatThrownBy(() -> ScaleRequests.read("""
                        apiVersion: kai.alibabacloud.com/v1alpha1
                        kind: ScaleIn
                        metadata: {name: less}
                        spec: {selector: {name: mnist}, toDelete: {podNames: [mnist-worker]}}
                        """))
                .hasMessage("ScaleIn \"less\": spec.toDelete.podNames: a worker of mnist must be named, was"
                        + " \"mnist-worker\"; for example mnist-worker-1");
    }
}
