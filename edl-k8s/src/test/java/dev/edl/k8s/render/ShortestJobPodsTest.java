package dev.edl.k8s.render;

import static dev.edl.spec.Priority.LOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import org.junit.jupiter.api.Test;

class ShortestJobPodsTest {
    private static final Job LINE =
            Job.builder().ps(2).workers(4).priority(LOW).gpu(1).build();

    @Test
    void the_shortest_job_has_pods_once_it_has_an_image() {
        PodTemplates pods = PodTemplates.of(
                LINE.toBuilder().image("registry.example/acme/mnist:1").build().plan());
        PodTemplateSpec worker = pods.get("worker", 2);

        assertThat(worker.getSpec().getPriorityClassName()).isEqualTo("low");
        assertThat(worker.getSpec().getContainers().get(0).getResources().getLimits())
                .containsEntry("nvidia.com/gpu", new Quantity("1"));
        assertThat(pods.get("master", 0)
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getResources()
                        .getRequests())
                .containsOnlyKeys("cpu", "memory");
    }

    @Test
    void the_text_of_failed_manifests_has_the_reason() {
        assertThat(Manifests.of(LINE.plan()))
                .hasToString(
                        "no objects: job \"job-abf66853\": master.image, ps.image, worker.image must be set, because"
                                + " a pod"
                                + " has no default image; for example image(\"registry.example/acme/mnist:1\")");
    }

    @Test
    void pods_without_an_image_are_refused_with_a_fix() {
        PodTemplates pods = PodTemplates.of(LINE.plan());

        assertThatThrownBy(() -> pods.get("worker", 2))
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"job-abf66853\": master.image, ps.image, worker.image must be set, because a pod has"
                        + " no default image; for example image(\"registry.example/acme/mnist:1\")");
    }
}
