package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainContainerTest {
    private static Pod pod(String annotations, String containers) {
        return Serialization.unmarshal("""
                metadata: {name: w4, annotations: {%s}}
                spec: {restartPolicy: Never, containers: [%s]}
                """.formatted(annotations, containers), Pod.class);
    }

    private static final String PROXY = "{name: istio-proxy}";

    @Test
    void the_annotation_names_the_main_container_at_any_position() {
        Pod pod = pod("edl.dev/container: train", PROXY + ", {name: worker}, {name: train}");

        assertThat(MainContainer.name(pod)).isEqualTo("train");
    }

    @ParameterizedTest
    @CsvSource({"elasticdl", "tensorflow", "mxnet", "horovod", "pytorch", "launcher", "worker"})
    void without_the_annotation_the_usual_names_count(String usual) {
        assertThat(MainContainer.name(pod("", PROXY + ", {name: " + usual + "}")))
                .isEqualTo(usual);
    }

    @Test
    void without_a_usual_name_kubectls_annotation_counts() {
        Pod pod = pod("kubectl.kubernetes.io/default-container: app", PROXY + ", {name: app}");

        assertThat(MainContainer.name(pod)).isEqualTo("app");
    }

    @Test
    void otherwise_it_is_the_first_container() {
        assertThat(MainContainer.name(pod("", "{name: app}, {name: other}"))).isEqualTo("app");
    }

    @Test
    void an_annotation_with_a_missing_container_is_ignored() {
        Pod pod = pod("edl.dev/container: gone", PROXY + ", {name: elasticdl}");

        assertThat(MainContainer.name(pod)).isEqualTo("elasticdl");
    }

    @Test
    void a_new_pod_notes_its_main_container_for_edl_and_for_kubectl() {
        Pod pod = pod("", "{name: helper}, {name: elasticdl}");

        Container main = MainContainer.note(pod.getMetadata(), pod.getSpec(), "elasticdl");

        assertThat(main.getName()).isEqualTo("elasticdl");
        assertThat(pod.getMetadata().getAnnotations())
                .containsOnly(
                        Map.entry("edl.dev/container", "elasticdl"),
                        Map.entry("kubectl.kubernetes.io/default-container", "elasticdl"));
    }

    @Test
    void a_users_annotation_for_kubectl_stays_and_is_not_edls() {
        Pod pod = pod("kubectl.kubernetes.io/default-container: helper", "{name: helper}, {name: elasticdl}");

        MainContainer.note(pod.getMetadata(), pod.getSpec(), "elasticdl");

        assertThat(pod.getMetadata().getAnnotations())
                .containsEntry("kubectl.kubernetes.io/default-container", "helper");
        assertThat(MainContainer.name(pod)).isEqualTo("elasticdl");
    }

    @Test
    void a_container_that_a_pod_tweak_renamed_is_noted_by_its_name() {
        Pod pod = pod("", "{name: mine}");

        MainContainer.note(pod.getMetadata(), pod.getSpec(), "elasticdl");

        assertThat(pod.getMetadata().getAnnotations()).containsEntry("edl.dev/container", "mine");
    }

    @ParameterizedTest
    @CsvSource({
        "Never, , 1, true",
        "Never, , 0, true",
        "OnFailure, , 0, true",
        "OnFailure, , 1, false",
        "Always, , 0, false",
        "Always, Never, 1, true",
        "Never, Always, 0, false"
    })
    void an_end_counts_if_the_node_does_not_restart_the_container(
            String pod, String container, int code, boolean ends) {
        Pod ended = Serialization.unmarshal(
                """
                metadata: {name: w4}
                spec: {restartPolicy: %s, containers: [%s, {name: elasticdl %s}]}
                status: {containerStatuses: [{name: elasticdl, state: {terminated: {exitCode: %d}}}]}
                """.formatted(pod, PROXY, container == null ? "" : ", restartPolicy: " + container, code), Pod.class);

        assertThat(MainContainer.end(ended).isPresent()).isEqualTo(ends);
    }
}
