package dev.edl.k8s;

import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.spi.JobPods;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The pods of a job as tests of another module need them. */
public final class JobPodsFixture {
    private JobPodsFixture() {}

    /** Returns the pods of a job that is driven under a mark. */
    public static JobPods of(
            KubernetesClient client, JobPlan plan, PodTemplates templates, PodSubstrate substrate, String driver) {
        return new SubstrateJobPods(client, plan, templates, substrate, driver);
    }
}
