package dev.edl.k8s.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.crd.Golden;
import dev.edl.k8s.render.PodSecurity;
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
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ControllerManifestTest {
    private static final ControllerManifest ALL = ControllerManifest.of("registry.example/edl-controller:1");

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
                Deployment edl-system/edl-controller""");
    }

    @Test
    void scoped_to_a_namespace_it_has_a_role_there_and_none_of_the_cluster() {
        assertThat(ALL.scopedTo("team-a").config("tfImage: tf:1\n")).hasToString("""
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
                Deployment team-a/edl-controller""");
    }

    @Test
    void workers_leave_nodes_that_are_about_to_go_where_it_may_watch_nodes() {
        assertThat(ALL.nodeNotices().toYaml())
                .contains("            - \"--node-notices\"\n")
                .contains("      - nodes\n    verbs:\n      - list\n      - watch\n");
        assertThat(ALL.toYaml()).doesNotContain("- nodes");
        assertThat(ALL.scopedTo("team-a").nodeNotices()).hasToString("""
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
    void what_a_controller_may_do_is_each_verb_once_in_the_cluster_or_in_its_namespace() {
        List<PolicyRule> everywhere = rules(ALL, ClusterRole.class, ClusterRole::getRules);
        List<PolicyRule> scoped = rules(ALL.scopedTo("team-a"), Role.class, Role::getRules);

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

    @Test
    void another_image_for_the_first_container_of_launchers_is_handed_on() {
        assertThat(ALL.initContainerImage("busybox:1").objects())
                .filteredOn(Deployment.class::isInstance)
                .singleElement()
                .extracting(object -> ((Deployment) object)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getArgs())
                .isEqualTo(List.of("--all-namespaces", "--init-container-image", "busybox:1"));
    }

    @Test
    void mistakes_are_named() {
        assertThatThrownBy(() -> ControllerManifest.of("a b"))
                .hasMessage("image must not be empty and have no spaces, was \"a b\"; for example"
                        + " registry.example/edl-controller:1");
        assertThatThrownBy(() -> ALL.in("Team A"))
                .hasMessage("a namespace must be a DNS label, was \"Team A\"; for example edl-system");
        assertThatThrownBy(() -> ALL.initContainerImage(""))
                .hasMessage(
                        "initContainerImage must not be empty and have no spaces, was \"\"; for example alpine:3.10");
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
                        List.of("registry.example/edl-controller:1", "--scoped", "team-a"), print(out), print(err)))
                .isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(ALL.scopedTo("team-a").toYaml());
        out.reset();
        assertThat(ManifestMain.run(
                        List.of("registry.example/edl-controller:1", "--node-notices", "--scoped", "team-a"),
                        print(out),
                        print(err)))
                .isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(ALL.scopedTo("team-a").nodeNotices().toYaml());
        assertThat(ManifestMain.run(List.of("--scoped", "team-a"), print(out), print(err)))
                .contains(2);
        assertThat(err)
                .hasToString("an image comes first: IMAGE [--namespace NAME | --scoped NAME] [--config FILE]"
                        + " [--init-container-image IMAGE] [--node-notices]; for example"
                        + " registry.example/edl-controller:1 --scoped team-a"
                        + System.lineSeparator());
    }
}
