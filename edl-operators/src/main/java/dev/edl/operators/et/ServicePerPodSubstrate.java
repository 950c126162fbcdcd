package dev.edl.operators.et;

import dev.edl.exec.FailureCause;
import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.client.ConflictReasons;
import dev.edl.k8s.client.PreconditionedDelete;
import dev.edl.k8s.spi.JobPods;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Substrate that creates and deletes a pod's Service together with the pod, as et-operator does for workers. Other pods
 * reach the pod by the Service's name, which is the pod's name.
 */
final class ServicePerPodSubstrate implements Substrate {
    private final JobPods job;
    private final Substrate pods;

    ServicePerPodSubstrate(JobPods job) {
        this.job = job;
        this.pods = job.substrate();
    }

    @Override
    public JobObservation observe(JobPlan plan) {
        // NodeDrainScalingRequests moves workers off a node in et-operator's order.
        JobObservation seen = pods.observe(plan);
        if (seen.noticedCount() == 0) {
            return seen;
        }
        return seen.with(
                seen.replicas().stream()
                        .filter(replica -> replica.role() == RoleType.WORKER)
                        .map(ObservedReplica::withoutNotice)
                        .toList(),
                List.of());
    }

    @Override
    public void prepare(JobPlan plan, List<Action> actions) {
        pods.prepare(plan, actions);
    }

    @Override
    public void apply(JobPlan plan, Action action) {
        job.confirmDriver();
        if (action instanceof Action.CreateReplica create) {
            job.templates()
                    .service(create.replica().role(), create.replica().index())
                    .ifPresent(this::create);
        } else if (action instanceof Action.DeleteReplica delete) {
            delete(plan.namespace(), delete.replica());
        }
        pods.apply(plan, action);
    }

    private void create(Service service) {
        try {
            job.client()
                    .resource(new ServiceBuilder(service)
                            .editMetadata()
                            .addToOwnerReferences(job.owner())
                            .endMetadata()
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            if (!ConflictReasons.exists(e)) {
                throw e;
            }
        }
    }

    /** Deletes a Service if the job owns it; leaves any other Service of this name. */
    private void delete(String namespace, String name) {
        Service there =
                job.client().services().inNamespace(namespace).withName(name).get();
        if (there != null
                && there.getMetadata().getOwnerReferences().stream()
                        .anyMatch(reference ->
                                reference.getUid().equals(job.owner().getUid()))) {
            PreconditionedDelete.of(job.client(), "services", there);
        }
    }

    @Override
    public FailureCause explain(RuntimeException failure) {
        return pods.explain(failure);
    }

    @Override
    public Optional<Instant> staleSince() {
        return pods.staleSince();
    }

    @Override
    public Subscription onChange(String job, Runnable wake) {
        return pods.onChange(job, wake);
    }

    @Override
    public void close() {
        pods.close();
    }
}
