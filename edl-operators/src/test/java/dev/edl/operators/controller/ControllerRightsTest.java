package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.controller.internal.ApiRefusals;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControllerRightsTest {
    /** A verb in the controller's table of permissions. */
    private record Row(String verb, String group, String resource) {}

    static Stream<Row> table() {
        List<ManagedKind> kinds =
                JobKinds.of(Set.of("tfjob", "mxjob", "trainingjob"), TfJobOperatorConfig.parse("{}"), "alpine:3");
        return Stream.of(
                        ControllerPermissions.objects(kinds),
                        ControllerPermissions.nodes(),
                        ControllerPermissions.lease())
                .flatMap(List::stream)
                .flatMap(ControllerRightsTest::rows);
    }

    private static Stream<Row> rows(PolicyRule rule) {
        return rule.getResources().stream()
                .flatMap(resource -> rule.getVerbs().stream()
                        .map(verb -> new Row(verb, rule.getApiGroups().get(0), resource)));
    }

    @ParameterizedTest
    @MethodSource("table")
    void each_verb_refused_to_the_controller_is_logged_with_its_remedy(Row row) {
        String refusal = row.resource + " is forbidden: User \"system:serviceaccount:edl:controller\" cannot "
                + row.verb + " resource \"" + row.resource + "\" in API group \"" + row.group
                + "\" in the namespace \"team\"";
        String role = "edl-controller-" + row.resource.replace('/', '-') + "-" + row.verb;
        String[] parts = row.resource.split("/", 2);
        String resource =
                parts[0] + (row.group.isEmpty() ? "" : "." + row.group) + (parts.length > 1 ? "/" + parts[1] : "");
        String line = "kubectl create role " + role + " --namespace team --verb=" + row.verb + " --resource=" + resource
                + " && kubectl create rolebinding " + role + " --namespace team --role=" + role
                + " --serviceaccount=edl:controller";

        assertThat(ApiRefusals.describe(new KubernetesClientException(
                        refusal, 403, new StatusBuilder().withMessage(refusal).build())))
                .endsWith("\n$ " + line);
        assertThat(MissingPermission.withGrantCommand("tfjobs cannot be watched: " + refusal))
                .endsWith(line);
    }
}
