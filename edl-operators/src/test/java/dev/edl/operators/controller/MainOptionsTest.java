package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.operators.controller.internal.ListenAddressParser;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MainOptionsTest {
    private static MainOptions parse(Map<String, String> env, String... args) {
        return MainOptions.parse(List.of(args), env, "desk-1");
    }

    @Test
    void the_default_namespace_is_the_pods() {
        assertThat(parse(Map.of("MY_POD_NAMESPACE", "team-a", "MY_POD_NAME", "controller-7")))
                .isEqualTo(new MainOptions(
                        List.of("team-a"),
                        "team-a",
                        "controller-7",
                        "",
                        JobKinds.INIT_IMAGE,
                        false,
                        true,
                        Set.of("tfjob", "mxjob", "trainingjob"),
                        ReplicaQuotas.STANDARD,
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    void all_namespaces_option_keeps_the_lease_in_the_pods_namespace() {
        assertThat(parse(Map.of("MY_POD_NAMESPACE", "edl"), "--all-namespaces", "--config", "/etc/edl/config.yaml"))
                .returns(List.of(), MainOptions::namespaces)
                .returns("edl", MainOptions::leaseNamespace)
                .returns("desk-1", MainOptions::identity)
                .returns("/etc/edl/config.yaml", MainOptions::config);
    }

    @Test
    void options_count_before_the_environment() {
        assertThat(parse(
                        Map.of("MY_POD_NAMESPACE", "edl", "MY_POD_NAME", "controller-7"),
                        "--namespace",
                        "a",
                        "--namespace",
                        "b",
                        "--lease-namespace",
                        "c",
                        "--identity",
                        "me",
                        "--init-container-image",
                        "busybox:1",
                        "--node-notices",
                        "--no-force-delete",
                        "--kinds",
                        "tfjob",
                        "--max-replicas-per-job",
                        "10",
                        "--max-replicas-per-namespace",
                        "20",
                        "--max-replicas",
                        "30",
                        "--health-probe-bind-address",
                        "127.0.0.1:8081",
                        "--metrics-bind-address",
                        "[::1]:8080"))
                .isEqualTo(new MainOptions(
                        List.of("a", "b"),
                        "c",
                        "me",
                        "",
                        "busybox:1",
                        true,
                        false,
                        Set.of("tfjob"),
                        new ReplicaQuotas(10, 20, 30),
                        Optional.of(ListenAddressParser.of("", "127.0.0.1:8081")),
                        Optional.of(ListenAddressParser.of("", "[::1]:8080"))));
    }

    @Test
    void a_missing_namespace_is_an_error() {
        assertThatThrownBy(() -> parse(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no namespace is set; options: --namespace NAME (again for more) or --all-namespaces,"
                        + " --kinds LIST, --config FILE, --init-container-image IMAGE, --identity NAME,"
                        + " --lease-namespace NAME, --node-notices, --no-force-delete, --max-replicas-per-job N,"
                        + " --max-replicas-per-namespace N, --max-replicas N, --health-probe-bind-address HOST:PORT,"
                        + " --metrics-bind-address HOST:PORT; the default namespace is MY_POD_NAMESPACE");
    }

    @Test
    void wrong_options_are_named() {
        assertThatThrownBy(() -> parse(Map.of(), "--namspace", "a"))
                .hasMessageStartingWith("unknown option \"--namspace\"; options: ");
        assertThatThrownBy(() -> parse(Map.of(), "--namespace")).hasMessageStartingWith("--namespace needs a value; ");
        assertThatThrownBy(() -> parse(Map.of(), "--metrics-bind-address", "8080"))
                .hasMessage("--metrics-bind-address must be HOST:PORT, was \"8080\"; for example 127.0.0.1:8080, or"
                        + " 0.0.0.0:8080 in a pod");
        assertThatThrownBy(() -> parse(Map.of(), "--max-replicas", "0"))
                .hasMessage("--max-replicas must be a number of at least 1, was \"0\"; for example 1000");
        assertThatThrownBy(() -> parse(Map.of(), "--namespace", "a", "--all-namespaces"))
                .hasMessageStartingWith("--all-namespaces and --namespace exclude each other; ");
    }
}
