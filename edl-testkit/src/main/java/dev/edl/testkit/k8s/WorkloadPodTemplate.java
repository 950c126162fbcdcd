package dev.edl.testkit.k8s;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;

/** Pod template of a Pod, Job, Deployment or StatefulSet. */
final class WorkloadPodTemplate {
    private WorkloadPodTemplate() {}

    static Optional<PodTemplateSpec> template(HasMetadata object) {
        if (object instanceof Pod pod) {
            return Optional.of(template(pod));
        }
        if (object instanceof Job job) {
            return Optional.of(job.getSpec().getTemplate());
        }
        if (object instanceof Deployment deployment) {
            return Optional.of(deployment.getSpec().getTemplate());
        }
        return object instanceof StatefulSet set ? Optional.of(set.getSpec().getTemplate()) : Optional.empty();
    }

    static PodTemplateSpec template(Pod pod) {
        return new PodTemplateSpecBuilder()
                .withMetadata(pod.getMetadata())
                .withSpec(pod.getSpec())
                .build();
    }
}
