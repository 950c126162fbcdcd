package dev.edl.k8s;

import dev.edl.exec.Subscription;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.internal.exec.PodExec;
import dev.edl.k8s.internal.exec.UnreachableContainer;
import dev.edl.k8s.internal.pods.MainContainer;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.spi.JobPods;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import dev.edl.status.NodeNotice;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Provides a job's way of scaling with access to the job's pods, which the substrate watches. */
record SubstratePodAccess(
        KubernetesClient client, JobPlan plan, PodTemplates templates, PodSubstrate substrate, String driverToken)
        implements JobPods {
    @Override
    public OwnerReference owner() {
        return substrate.record().owner();
    }

    @Override
    public void confirmDriver() {
        substrate.record().confirmDriver();
    }

    @Override
    public Optional<Pod> pod(String name) {
        return Optional.ofNullable(substrate.pod(name));
    }

    @Override
    public List<Pod> ofRole(RoleType role) {
        return substrate.ofRole(role);
    }

    @Override
    public boolean runs(Pod pod) {
        return UnreachableContainer.stops(pod, pod.getMetadata().getUid(), MainContainer.name(pod))
                .isEmpty();
    }

    @Override
    public Map<String, NodeNotice> nodeNotices(RoleType role) {
        return substrate.noticed(role);
    }

    @Override
    public Subscription onChange(Runnable wake) {
        return substrate.onChange(plan.name(), wake);
    }

    @Override
    public PodResult exec(String pod, PodCommand command) throws InterruptedException {
        return PodExec.in(substrate, client, pod, command);
    }
}
