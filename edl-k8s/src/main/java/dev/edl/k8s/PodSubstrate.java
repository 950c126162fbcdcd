package dev.edl.k8s;

import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.Observed;
import dev.edl.reconcile.ObservedReplica;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A namespace of a cluster as the place where the replicas of one job run, each a pod that the job's record owns.
 *
 * <p>What is there is known from one watch of the job's pods, kept up by fabric8's informer: it lists anew when the watch is
 * lost or too old. A pod that came and went between two observations is shown once, as leaving.
 */
final class PodSubstrate implements Substrate, ResourceEventHandler<Pod> {
    private final KubernetesClient client;
    private final JobPlan plan;
    private final PodTemplates templates;
    private final JobRecord record;
    private final OwnerReference owner;
    private final SharedIndexInformer<Pod> pods;
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    /** Uids of the pods that are there and that an observation has shown. */
    private final Set<String> shown = new HashSet<>();
    /** Those that went before an observation showed them, by name. */
    private final Map<String, Pod> gone = new LinkedHashMap<>();

    PodSubstrate(KubernetesClient client, JobPlan plan, PodTemplates templates, JobRecord record) {
        this.client = client;
        this.plan = plan;
        this.templates = templates;
        this.record = record;
        this.owner = record.owner();
        this.pods = client.pods()
                .inNamespace(plan.namespace())
                .withLabels(plan.selector())
                .inform(this);
    }

    @Override
    public synchronized Observed observe(JobPlan of) {
        Map<String, ObservedReplica> seen = new LinkedHashMap<>();
        gone.values().forEach(pod -> PodView.of(pod).ifPresent(r -> seen.put(r.name(), r.leaving())));
        for (Pod pod : pods.getStore().list()) {
            if (owned(pod)) {
                shown.add(pod.getMetadata().getUid());
                PodView.of(pod).ifPresent(r -> seen.put(r.name(), r));
            }
        }
        if (!gone.isEmpty()) {
            gone.clear();
            // The next observation will not show them, which is a change.
            wake();
        }
        return new Observed(List.copyOf(seen.values()));
    }

    private boolean owned(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference -> reference.getUid().equals(owner.getUid()));
    }

    @Override
    public void apply(JobPlan of, Action action) {
        if (action instanceof Action.CreateReplica create) {
            create(create.replica());
        } else if (action instanceof Action.DeleteReplica delete) {
            delete(delete);
        } else if (action instanceof Action.CollectJob) {
            record.collect();
        }
    }

    /** Only what is the job's: a pod of the name may be somebody else's. */
    private void delete(Action.DeleteReplica delete) {
        var pod = client.pods().inNamespace(plan.namespace()).withName(delete.replica());
        Pod there = pod.get();
        if (there == null || !owned(there)) {
            return;
        }
        if (delete.graceful()) {
            pod.delete();
        } else {
            pod.withGracePeriod(0).delete();
        }
    }

    private void create(ReplicaPlan replica) {
        PodTemplateSpec template = templates.get(replica.role(), replica.id(), replica.index());
        Pod pod = new PodBuilder()
                .withNewMetadataLike(template.getMetadata())
                .withName(replica.name())
                .withNamespace(plan.namespace())
                .addToAnnotations(PodView.ROLE, replica.role().id())
                .addToAnnotations(PodView.ID, Integer.toString(replica.id()))
                .addToOwnerReferences(owner)
                .endMetadata()
                .withSpec(template.getSpec())
                .editSpec()
                // Who is started again, and how often, is the job's decision and not the node's.
                .withRestartPolicy("Never")
                .endSpec()
                .build();
        try {
            client.resource(pod).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            Pod there = client.resource(pod).get();
            if (there != null && !owned(there)) {
                throw new IllegalStateException(
                        "pod " + replica.name() + " is there and does not belong to the job; delete it, or name the job"
                                + " otherwise",
                        e);
            }
        }
    }

    @Override
    public Subscription onChange(String job, Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    @Override
    public void onAdd(Pod pod) {
        wake();
    }

    @Override
    public void onUpdate(Pod before, Pod now) {
        wake();
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
        synchronized (this) {
            if (owned(pod) && !shown.remove(pod.getMetadata().getUid())) {
                gone.put(pod.getMetadata().getName(), pod);
            }
        }
        wake();
    }

    private void wake() {
        wakes.forEach(Runnable::run);
    }

    /** Ends the watch; the pods go on. */
    @Override
    public void close() {
        pods.close();
    }
}
