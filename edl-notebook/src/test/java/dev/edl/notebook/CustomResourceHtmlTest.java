package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.operators.crd.kinds.CustomResources;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import org.junit.jupiter.api.Test;

class CustomResourceHtmlTest {
    private static final String TFJOB = """
            apiVersion: kubeflow.org/v1
            kind: TFJob
            metadata:
              name: mnist
            spec:
              runPolicy:
                schedulingPolicy:
                  queue: "<b>research"
              tfReplicaSpecs:
                Worker:
                  replicas: 2
                  restartPolicy: Never
                  template:
                    spec:
                      containers:
                        - name: tensorflow
                          image: registry.example/acme/mnist:1
                          env:
                            - name: API_TOKEN
                              value: hunter2
            """;

    @Test
    void a_reading_is_its_losses_and_its_job() {
        Pages.check("reading", CustomResourceHtml.of(CustomResources.read(TFJOB)));
    }

    @Test
    void a_resource_is_yaml_without_secrets() {
        Job job = CustomResources.read(TFJOB).job();

        assertThat(CustomResourceHtml.of(KubeflowTfJobs.write(job)))
                .contains("kind: ", "TFJob", "API_TOKEN", "***")
                .doesNotContain("hunter2");
    }

    @Test
    void a_lossless_conversion_is_shown_as_such() {
        Job job = Job.builder()
                .name("mnist")
                .tensorflow()
                .image("registry.example/acme/mnist:1")
                .workers(2)
                .build();

        assertThat(CustomResourceHtml.of(
                        CustomResources.read(KubeflowTfJobs.write(job).toYaml())))
                .contains("Nothing is lost.");
    }
}
