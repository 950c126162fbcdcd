package dev.edl.k8s;

import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.spi.JobPods;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Job's pods for tests of other modules. */
public final class JobPodsFixture {
    private JobPodsFixture() {}

    /** Returns the pods of a job that a driver with this token drives. */
    public static JobPods of(
            KubernetesClient client, JobPlan plan, PodTemplates templates, PodSubstrate substrate, String driver) {
        return new SubstratePodAccess(client, plan, templates, substrate, driver);
    }
}
