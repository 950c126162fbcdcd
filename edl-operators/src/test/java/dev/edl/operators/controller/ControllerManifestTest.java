package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.render.PodSecurity;
import dev.edl.operators.controller.internal.ListenAddressParser;
import dev.edl.operators.crd.Golden;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ControllerManifestTest {
    private static final ControllerManifest ALL = ControllerManifest.allNamespaces("registry.example/edl-controller:1");
    private static final ControllerManifest TEAM = ControllerManifest.of("registry.example/edl-controller:1", "team-a");

    @Test
    void one_manifest_installs_all() {
        assertThat(ALL).hasToString("""
                CustomResourceDefinition tfjobs.tensorflow.org
                CustomResourceDefinition mxjobs.mxnet.mlkube.io
                CustomResourceDefinition mxjobs.mlkube.io
                CustomResourceDefinition trainingjobs.kai.alibabacloud.com
                CustomResourceDefinition scaleins.kai.alibabacloud.com
                CustomResourceDefinition scaleouts.kai.alibabacloud.com
                Namespace edl-system
                ServiceAccount edl-system/edl-controller
                ClusterRole edl-controller
                ClusterRoleBinding edl-controller
                Role edl-system/edl-controller-lease
                RoleBinding edl-system/edl-controller-lease
                PodDisruptionBudget edl-system/edl-controller
                Deployment edl-system/edl-controller""");
    }

    @Test
    void of_a_namespace_it_has_a_role_there_and_none_of_the_cluster() {
        assertThat(TEAM.config("tfImage: tf:1\n")).hasToString("""
                CustomResourceDefinition tfjobs.tensorflow.org
                CustomResourceDefinition mxjobs.mxnet.mlkube.io
                CustomResourceDefinition mxjobs.mlkube.io
                CustomResourceDefinition trainingjobs.kai.alibabacloud.com
                CustomResourceDefinition scaleins.kai.alibabacloud.com
                CustomResourceDefinition scaleouts.kai.alibabacloud.com
                ServiceAccount team-a/edl-controller
                Role team-a/edl-controller
                RoleBinding team-a/edl-controller
                ConfigMap team-a/edl-controller-config
                PodDisruptionBudget team-a/edl-controller
                Deployment team-a/edl-controller""");
    }

    @Test
    void workers_leave_announced_nodes_if_node_watch_is_permitted() {
        assertThat(ALL.nodeNotices().toYaml())
                .contains("            - \"--node-notices\"\n")
                .contains("      - nodes\n    verbs:\n      - list\n      - watch\n");
        assertThat(ALL.toYaml()).doesNotContain("- nodes");
        assertThat(TEAM.nodeNotices()).hasToString("""
                CustomResourceDefinition tfjobs.tensorflow.org
                CustomResourceDefinition mxjobs.mxnet.mlkube.io
                CustomResourceDefinition mxjobs.mlkube.io
                CustomResourceDefinition trainingjobs.kai.alibabacloud.com
                CustomResourceDefinition scaleins.kai.alibabacloud.com
                CustomResourceDefinition scaleouts.kai.alibabacloud.com
                ServiceAccount team-a/edl-controller
                Role team-a/edl-controller
                RoleBinding team-a/edl-controller
                ClusterRole edl-controller-nodes-team-a
                ClusterRoleBinding edl-controller-nodes-team-a
                PodDisruptionBudget team-a/edl-controller
                Deployment team-a/edl-controller""");
    }

    @Test
    void the_whole_of_it_is_as_it_was_written_down() {
        assertThat(ALL.config("tfImage: tf:1\n").toYaml()).isEqualTo(Golden.file("controller.yaml"));
    }

    @Test
    void its_pods_are_restricted() {
        assertThat(ALL.objects())
                .filteredOn(Deployment.class::isInstance)
                .singleElement()
                .satisfies(object -> assertThat(PodSecurity.violations(
                                ((Deployment) object).getSpec().getTemplate()))
                        .isEmpty());
    }

    @Test
    void the_manifest_grants_each_verb_once() {
        List<PolicyRule> everywhere = rules(ALL, ClusterRole.class, ClusterRole::getRules);
        List<PolicyRule> scoped = rules(TEAM, Role.class, Role::getRules);

        assertThat(everywhere)
                .extracting(rule -> rule.getApiGroups() + " " + rule.getResources())
                .doesNotHaveDuplicates();
        assertThat(everywhere).allSatisfy(rule -> {
            assertThat(rule.getApiGroups()).hasSize(1);
            assertThat(rule.getResources()).hasSize(1);
            assertThat(rule.getVerbs()).doesNotHaveDuplicates().isNotEmpty();
        });
        assertThat(scoped).containsAll(everywhere).hasSize(everywhere.size() + 1);
    }

    private static <T extends HasMetadata> List<PolicyRule> rules(
            ControllerManifest manifest, Class<T> kind, Function<T, List<PolicyRule>> rules) {
        return manifest.objects().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .filter(role -> role.getMetadata().getName().equals("edl-controller"))
                .map(rules)
                .findFirst()
                .orElseThrow();
    }

    private static Container container(ControllerManifest manifest) {
        return manifest.objects().stream()
                .filter(Deployment.class::isInstance)
                .map(object -> ((Deployment) object)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void another_image_for_the_first_container_of_launchers_is_handed_on() {
        assertThat(container(ALL.initContainerImage("busybox:1")).getArgs())
                .containsExactly(
                        "--all-namespaces",
                        "--init-container-image",
                        "busybox:1",
                        "--health-probe-bind-address",
                        "0.0.0.0:8081");
    }

    @Test
    void tfjobs_alone_need_no_permissions_of_et_operators_kinds() {
        ControllerManifest only = TEAM.kinds("tfjob");

        assertThat(rules(only, Role.class, Role::getRules))
                .extracting(rule -> rule.getResources() + " " + rule.getVerbs())
                .containsExactly(
                        "[tfjobs] [get, list, watch, update, delete]",
                        "[configmaps] [get, create, update, delete]",
                        "[pods] [get, list, watch, create, delete]",
                        "[events] [create, patch]",
                        "[services] [create]",
                        "[deployments] [create]",
                        "[leases] [get, create, patch]");
        assertThat(only.toString()).doesNotContain("mxjobs").doesNotContain("scaleins");
        assertThat(container(only).getArgs()).contains("--kinds", "tfjob");
    }

    @Test
    void the_controller_may_create_secrets_but_not_read_them() {
        assertThat(rules(ALL, ClusterRole.class, ClusterRole::getRules))
                .filteredOn(rule -> rule.getResources().contains("secrets"))
                .singleElement()
                .satisfies(rule -> assertThat(rule.getVerbs()).containsExactly("create"));
    }

    @Test
    void metrics_limits_and_memory_are_handed_on() {
        ControllerManifest more = TEAM.metrics()
                .memory("2Gi")
                .priorityClass("system-cluster-critical")
                .replicas(ReplicaQuotas.STANDARD.perJob(5000));

        assertThat(container(more).getArgs())
                .containsSequence("--metrics-bind-address", "0.0.0.0:8080")
                .containsSequence("--max-replicas-per-job", "5000");
        assertThat(container(more).getResources().getLimits()).hasToString("{memory=2Gi}");
        assertThat(more.toYaml())
                .contains("prometheus.io/port: \"8080\"")
                .contains("priorityClassName: system-cluster-critical");
    }

    @Test
    void the_program_takes_the_arguments_of_its_manifest() {
        ControllerManifest most = ALL.kinds("tfjob", "mxjob")
                .config("tfImage: tf:1\n")
                .nodeNotices()
                .metrics()
                .replicas(new ReplicaQuotas(1, 2, 3));

        assertThat(MainOptions.parse(container(most).getArgs(), Map.of("MY_POD_NAMESPACE", "edl-system"), "desk"))
                .returns(List.of(), MainOptions::namespaces)
                .returns(Set.of("tfjob", "mxjob"), MainOptions::kinds)
                .returns(new ReplicaQuotas(1, 2, 3), MainOptions::replicas)
                .returns(Optional.of(ListenAddressParser.of("", "0.0.0.0:8081")), MainOptions::probes);
    }

    @Test
    void mistakes_are_named() {
        assertThatThrownBy(() -> ControllerManifest.of("a b", "team-a"))
                .hasMessage("image must not be empty and have no spaces, was \"a b\"; for example"
                        + " registry.example/edl-controller:1");
        assertThatThrownBy(() -> ALL.in("Team A"))
                .hasMessage("a namespace must be a DNS label, was \"Team A\"; for example edl-system");
        assertThatThrownBy(() -> ALL.initContainerImage(""))
                .hasMessage(
                        "initContainerImage must not be empty and have no spaces, was \"\"; for example alpine:3.22");
        assertThatThrownBy(() -> ALL.kinds("tfjob", "tf"))
                .hasMessage(
                        "kinds must be some of tfjob, mxjob, trainingjob, were \"tfjob,tf\"; for example tfjob,mxjob");
        assertThatThrownBy(() -> ALL.memory("1GB"))
                .hasMessage(
                        "memory must be a number of bytes of at least 0, with one of Ki Mi Gi Ti Pi Ei k M G T P E or"
                                + " without, was \"1GB\"; for example 2Gi");
        assertThatThrownBy(() -> ALL.config("acelerators: {}")).isInstanceOf(IllegalArgumentException.class);
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    @Test
    void the_program_prints_it_or_what_is_wrong() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        assertThat(ManifestMain.run(
                        List.of("registry.example/edl-controller:1", "--namespace", "team-a"), print(out), print(err)))
                .isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(TEAM.toYaml());
        out.reset();
        assertThat(ManifestMain.run(
                        List.of("registry.example/edl-controller:1", "--all-namespaces", "--kinds", "tfjob"),
                        print(out),
                        print(err)))
                .isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(ALL.kinds("tfjob").toYaml());
        out.reset();
        assertThat(ManifestMain.run(
                        List.of(
                                "registry.example/edl-controller:1",
                                "--node-notices",
                                "--no-force-delete",
                                "--namespace",
                                "team-a"),
                        print(out),
                        print(err)))
                .isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(TEAM.nodeNotices().withoutForceDelete().toYaml());
        assertThat(ManifestMain.run(List.of("--namespace", "team-a"), print(out), print(err)))
                .contains(2);
        assertThat(err)
                .hasToString("the first argument must be an image: IMAGE --namespace NAME | IMAGE --all-namespaces"
                        + " [--namespace NAME], [--kinds LIST] [--config FILE] [--init-container-image IMAGE]"
                        + " [--node-notices] [--no-force-delete] [--metrics] [--memory QUANTITY] [--priority-class"
                        + " NAME] [--max-replicas-per-job N] [--max-replicas-per-namespace N] [--max-replicas N]; for"
                        + " example registry.example/edl-controller:1 --namespace team-a"
                        + System.lineSeparator());
        err.reset();
        assertThat(ManifestMain.run(List.of("registry.example/edl-controller:1"), print(out), print(err)))
                .contains(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("--namespace or --all-namespaces must be set: IMAGE");
    }
}
