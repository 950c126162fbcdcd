package dev.edl.k8s.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MainOptionsTest {
    private static MainOptions parse(Map<String, String> env, String... args) {
        return MainOptions.parse(List.of(args), env, "desk-1");
    }

    @Test
    void without_options_the_namespace_of_the_pod_is_looked_after_as_by_the_operator() {
        assertThat(parse(Map.of("MY_POD_NAMESPACE", "team-a", "MY_POD_NAME", "controller-7")))
                .isEqualTo(new MainOptions(List.of("team-a"), "team-a", "controller-7", "", "alpine:3.10", false));
    }

    @Test
    void all_namespaces_are_looked_after_when_asked_for_with_the_lease_where_the_pod_is() {
        assertThat(parse(Map.of("MY_POD_NAMESPACE", "edl"), "--all-namespaces", "--config", "/etc/edl/config.yaml"))
                .isEqualTo(new MainOptions(List.of(), "edl", "desk-1", "/etc/edl/config.yaml", "alpine:3.10", false));
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
                        "--node-notices"))
                .isEqualTo(new MainOptions(List.of("a", "b"), "c", "me", "", "busybox:1", true));
    }

    @Test
    void a_program_that_is_told_no_namespace_looks_after_none() {
        assertThatThrownBy(() -> parse(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no namespace was named; options: --namespace NAME (again for more) or --all-namespaces,"
                        + " --config FILE, --init-container-image IMAGE, --identity NAME, --lease-namespace NAME, --node-notices;"
                        + " without a namespace that of"
                        + " MY_POD_NAMESPACE counts");
    }

    @Test
    void wrong_options_are_named() {
        assertThatThrownBy(() -> parse(Map.of(), "--namspace", "a"))
                .hasMessageStartingWith("unknown option \"--namspace\"; options: ");
        assertThatThrownBy(() -> parse(Map.of(), "--namespace")).hasMessageStartingWith("--namespace needs a value; ");
        assertThatThrownBy(() -> parse(Map.of(), "--namespace", "a", "--all-namespaces"))
                .hasMessageStartingWith("--all-namespaces and --namespace exclude each other; ");
    }
}
