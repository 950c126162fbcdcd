package dev.edl.k8s;

import dev.edl.RoleType;
import dev.edl.exec.FailureCause;
import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.internal.api.Deletion;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.Observed;
import dev.edl.reconcile.ObservedReplica;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;

/** Pods of which each comes and goes with a Service of its own, under whose name the others find it: et-operator's workers. */
final class ServedPods implements Substrate {
    private final KubernetesClient client;
    private final PodTemplates templates;
    private final OwnerReference owner;
    private final PodSubstrate pods;

    ServedPods(KubernetesClient client, PodTemplates templates, OwnerReference owner, PodSubstrate pods) {
        this.client = client;
        this.templates = templates;
        this.owner = owner;
        this.pods = pods;
    }

    @Override
    public Observed observe(JobPlan plan) {
        // Workers leave a node in et-operator's order, to which LeavingWorkers sees.
        Observed seen = pods.observe(plan);
        if (seen.noticed() == 0) {
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
        pods.record().confirm();
        if (action instanceof Action.CreateReplica create) {
            templates.service(create.replica().role(), create.replica().index()).ifPresent(this::create);
        } else if (action instanceof Action.DeleteReplica delete) {
            delete(plan.namespace(), delete.replica());
        }
        pods.apply(plan, action);
    }

    private void create(Service service) {
        try {
            client.resource(new ServiceBuilder(service)
                            .editMetadata()
                            .addToOwnerReferences(owner)
                            .endMetadata()
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            if (!Conflicts.exists(e)) {
                throw e;
            }
        }
    }

    /** Deletes a Service of the job only. */
    private void delete(String namespace, String name) {
        Service there = client.services().inNamespace(namespace).withName(name).get();
        if (there != null
                && there.getMetadata().getOwnerReferences().stream()
                        .anyMatch(reference -> reference.getUid().equals(owner.getUid()))) {
            Deletion.of(client, "services", there);
        }
    }

    @Override
    public FailureCause explain(RuntimeException failure) {
        return pods.explain(failure);
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
