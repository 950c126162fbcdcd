package dev.edl.k8s.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.client.ApiFailures;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MissingPermissionTest {
    /**
     * Verb of the table.
     *
     * @param name of the only object for which the table has the verb; empty for all
     */
    private record Row(String verb, String group, String resource, String name, boolean cluster) {
        /** Returns the message of kube-apiserver 1.34. */
        String refusal() {
            return resource.split("/", 2)[0] + (group.isEmpty() ? "" : "." + group) + " \""
                    + (name.isEmpty() ? "one" : name) + "\" is forbidden: User \"jane\" cannot " + verb
                    + " resource \"" + resource + "\" in API group \"" + group + "\" "
                    + (cluster ? "at the cluster scope" : "in the namespace \"team\"");
        }

        String granted() {
            String kind = cluster ? "clusterrole" : "role";
            String in = cluster ? "" : " --namespace team";
            String role = "edl-jane-" + resource.replace('/', '-') + "-" + verb;
            String full = resource.contains("/") || group.isEmpty() ? resource : resource + "." + group;
            return "kubectl create " + kind + " " + role + in + " --verb=" + verb + " --resource=" + full
                    + (name.isEmpty() ? "" : " --resource-name=" + name)
                    + " && kubectl create " + kind + "binding " + role + in + " --" + kind + "=" + role
                    + " --user=jane";
        }
    }

    /** Returns all permissions that an executor may need. */
    static Stream<Row> table() {
        JobPlan plan = Job.named("mnist")
                .namespace("team")
                .image("x")
                .tensorflow()
                .workers(2)
                .build()
                .plan();
        PodOptions options = PodOptions.builder()
                .priorityClass("high", 1000)
                .apiAccess("", "pods", "patch")
                .tensorBoard(TensorBoard.of("/logs").image("x"))
                .build();
        SubmitterRole role = SubmitterRole.of(plan, options)
                .logs()
                .events()
                .exec()
                .portForward()
                .tensorBoard()
                .nodeNotices();
        return Stream.concat(rows(role.rules(), false), rows(role.clusterRules(), true));
    }

    private static Stream<Row> rows(List<PolicyRule> rules, boolean cluster) {
        return rules.stream()
                .flatMap(rule -> rule.getVerbs().stream()
                        .flatMap(verb -> rule.getResources().stream()
                                .map(resource -> new Row(
                                        verb,
                                        rule.getApiGroups().get(0),
                                        resource,
                                        String.join("", rule.getResourceNames()),
                                        cluster))))
                // A creation is refused before the object has a name.
                .filter(row -> !row.verb().equals("create"));
    }

    @ParameterizedTest
    @MethodSource("table")
    void each_refused_verb_has_the_command_that_grants_it(Row row) {
        assertThat(MissingPermission.in(row.refusal()).map(MissingPermission::command))
                .hasValue(row.granted());
        assertThat(ApiFailures.explain(refused(row.refusal())).advice())
                .hasValue("grant the permission:" + " " + row.granted());
    }

    @Test
    void a_refused_creation_has_the_command_that_grants_it() {
        assertThat(ApiFailures.explain(refused("rolebindings.rbac.authorization.k8s.io is forbidden: User"
                                + " \"system:serviceaccount:ops:trainer\" cannot create resource \"rolebindings\" in API"
                                + " group \"rbac.authorization.k8s.io\" in the namespace \"team\""))
                        .advice())
                .hasValue("grant the permission: kubectl create role edl-trainer-rolebindings-create --namespace team"
                        + " --verb=create --resource=rolebindings.rbac.authorization.k8s.io && kubectl create"
                        + " rolebinding edl-trainer-rolebindings-create --namespace team"
                        + " --role=edl-trainer-rolebindings-create --serviceaccount=ops:trainer");
    }

    @Test
    void a_name_with_shell_characters_is_quoted() {
        assertThat(MissingPermission.in("User \"o'neil $HOME\" cannot list resource \"pods\" in API group \"\" in the"
                                + " namespace \"team\"")
                        .map(MissingPermission::command)
                        .orElseThrow())
                .endsWith(" --user='o'\\''neil $HOME'");
    }

    @Test
    void a_refusal_for_another_reason_is_unchanged() {
        KubernetesClientException quota = refused("pods \"one\" is forbidden: exceeded quota: few");

        assertThat(MissingPermission.withGrantCommand(quota)).isSameAs(quota);
        assertThat(ApiFailures.explain(quota).advice()).hasValue("raise the quota");
        assertThat(ApiFailures.explain(refused("admission webhook denied it: images cannot be pulled"))
                        .advice())
                .hasValue("change the fields that the admission policy names");
    }

    private static KubernetesClientException refused(String message) {
        return new KubernetesClientException(
                "Failure executing: " + message,
                403,
                new StatusBuilder()
                        .withCode(403)
                        .withReason("Forbidden")
                        .withMessage(message)
                        .build());
    }
}
