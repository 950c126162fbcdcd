package dev.edl.operators.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.Workload;
import dev.edl.operators.crd.kinds.CustomResources;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scalars and variables of a resource, checked by their source text. */
class ScalarsOfResourcesTest {
    private static String job(String metadata, String replicas, String container, String pod) {
        return "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a" + metadata
                + "}\nspec: {pytorchReplicaSpecs: {Worker: {replicas: " + replicas
                + ", template: {spec: {containers: [{name: pytorch, image: a/b:1" + container + "}]" + pod + "}}}}}\n";
    }

    private static JobReadResult read(String container) {
        return CustomResources.read(job("", "1", container, ""));
    }

    private static PodSpec pod(JobReadResult result) {
        return PodTemplates.of(result.job().plan(), result.options())
                .get("worker", 0)
                .getSpec();
    }

    private static String env(JobReadResult result, String name) {
        return pod(result).getContainers().get(0).getEnv().stream()
                .filter(env -> env.getName().equals(name))
                .map(EnvVar::getValue)
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    3.10  | 3.10, which YAML reads as 3.1   | 3.10
                    0644  | 0644, which YAML reads as 420   | 0644
                    1_000 | 1_000, which YAML reads as 1000 | 1_000
                    1e3   | 1e3, which YAML reads as 1000   | 1e3
                    1.0   | 1.0, which YAML reads as 1      | 1.0
                    64    | 64                              | 64
                    yes   | yes, which YAML reads as true   | yes
                    Off   | Off, which YAML reads as false  | Off
                    true  | true                            | true
                    """)
    void the_advice_quotes_what_stands_in_the_text(String word, String was, String advice) {
        assertThatThrownBy(() -> read(", env: [{name: A, value: " + word + "}]"))
                .hasMessage(
                        "PyTorchJob \"a\": spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].env[0].value must be"
                                + " text, was " + was + "; for example \"" + advice + "\"");
    }

    @Test
    void data_without_source_text_is_reported_as_it_is() {
        CustomObject object = CustomObject.fromYaml(job("", "1", ", args: [true]", ""));

        assertThatThrownBy(() -> CustomResources.read(CustomObject.of(object.fields())))
                .hasMessageEndingWith("args[0] must be text, was true; for example \"true\"");
        assertThat(CustomObject.of(object.fields())).isEqualTo(object);
    }

    @Test
    void a_whole_number_may_be_written_as_a_fraction() {
        JobReadResult result = CustomResources.read(job(
                "",
                "4.0",
                ", ports: [{name: http, containerPort: 8.08e3}], livenessProbe: {httpGet: {port: 80.0}}",
                ", terminationGracePeriodSeconds: 30.0"));

        assertThat(result.job().spec().roles().get(0).replicas()).isEqualTo(4);
        assertThat(pod(result).getTerminationGracePeriodSeconds()).isEqualTo(30);
        assertThat(pod(result)
                        .getContainers()
                        .get(0)
                        .getLivenessProbe()
                        .getHttpGet()
                        .getPort()
                        .getIntVal())
                .isEqualTo(80);
        assertThatThrownBy(() -> CustomResources.read(job("", "4.5", "", "")))
                .hasMessageEndingWith("Worker.replicas must be a whole number, was 4.5; for example 4");
    }

    // Kubernetes expands a value only by earlier variables; the training operator appends its own after all of the
    // template's.
    @Test
    void a_value_is_made_of_the_variables_before_it_alone() {
        JobReadResult result = read(
                ", env: [{name: NODES, value: $(PET_NNODES)}, {name: EARLY, value: $(LATE)}, {name: LATE, value: x},"
                        + " {name: MIXED, value: $(LATE)/$(RANK)/$$(LATE)}], args: [$(PET_NNODES)]");

        assertThat(result.job().spec().roles().get(0).template().env())
                .containsEntry("NODES", "$(PET_NNODES)")
                .containsEntry("EARLY", "$(LATE)");
        assertThat(env(result, "NODES")).isEqualTo("$$(PET_NNODES)");
        assertThat(env(result, "EARLY")).isEqualTo("$$(LATE)");
        assertThat(env(result, "MIXED")).isEqualTo("$(LATE)/$$(RANK)/$$(LATE)");
        assertThat(pod(result).getContainers().get(0).getArgs()).containsExactly("$(PET_NNODES)");
        assertThat(result.losses()).isEmpty();
    }

    @Test
    void a_value_built_from_an_overwritten_variable_is_reported() {
        JobReadResult result = read(", env: [{name: PET_NNODES, value: \"9\"}, {name: NODES, value: $(PET_NNODES)}]");

        assertThat(result.losses())
                .extracting(loss -> loss.path() + ": " + loss.why())
                .containsExactly(
                        "spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].env[0]: the operator sets it",
                        "spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].env[1]: it refers to an earlier"
                                + " value of a variable that the job sets again");
    }

    // https://kueue.sigs.k8s.io/docs/tasks/run/plain_pods/: without a group each pod is a workload of its own.
    @Test
    void the_pods_of_a_job_with_kueue_s_label_are_admitted_together() {
        JobReadResult result = CustomResources.read(job(", labels: {kueue.x-k8s.io/queue-name: team-a}", "3", "", ""));
        List<Pod> pods = Manifests.of(result.job().plan(), result.options(), Workload.PODS)
                .objects(Pod.class);

        assertThat(pods).hasSize(3).allSatisfy(pod -> {
            assertThat(pod.getMetadata().getLabels())
                    .containsEntry("kueue.x-k8s.io/queue-name", "team-a")
                    .containsEntry("kueue.x-k8s.io/pod-group-name", "elasticdl-a");
            assertThat(pod.getMetadata().getAnnotations()).containsEntry("kueue.x-k8s.io/pod-group-total-count", "3");
        });
    }
}
