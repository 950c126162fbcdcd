package dev.edl.operators;

import dev.edl.exec.FailureCause;
import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.client.ApiFailures;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.ReconnectingInformer;
import dev.edl.k8s.client.WatchOutage;
import dev.edl.k8s.spi.ObservedPod;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Substrate of a custom resource and its operator's pods, kept current by two informers. Only the operator creates pods
 * and replaces them; this class deletes a pod only at the user's request.
 */
final class CustomResourceSubstrate implements Substrate {
    /**
     * Resync period of the informers; 0 disables resyncs, because every pass of the control loop reads the whole store.
     */
    private static final long NEVER = 0;

    private final KubernetesClient client;
    private final JobPlan plan;
    private final CustomResourceKind resource;
    private final String uid;
    private final SharedIndexInformer<GenericKubernetesResource> resources;
    private final SharedIndexInformer<Pod> pods;
    private final WatchOutage outage;
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private DelegatedJobReconciler.Observation latest =
            new DelegatedJobReconciler.Observation(Optional.empty(), List.of());

    /**
     * Whether the watch has returned the resource. Until then, the resource's absence from the store does not mean that
     * it was deleted.
     */
    private boolean met;

    private volatile boolean cancelled;

    /** Starts to watch an existing resource and its pods. */
    CustomResourceSubstrate(
            KubernetesClient client, JobPlan plan, CustomResourceKind resource, GenericKubernetesResource there) {
        this.client = client;
        this.plan = plan;
        this.resource = resource;
        this.uid = there.getMetadata().getUid();
        this.resources = ReconnectingInformer.of(
                one(), new WakeUpHandler<>(), NEVER, resource.named(plan.namespace(), plan.name()));
        try {
            this.pods = ReconnectingInformer.of(
                    client.pods()
                            .inNamespace(plan.namespace())
                            .withLabels(resource.pods().selector(plan)),
                    new WakeUpHandler<>(),
                    NEVER,
                    "the pods of job \"" + plan.name() + "\"");
        } catch (RuntimeException e) {
            resources.close();
            throw e;
        }
        this.outage = new WatchOutage(InstantSource.system());
    }

    private Resource<GenericKubernetesResource> one() {
        return client.genericKubernetesResources(resource.context())
                .inNamespace(plan.namespace())
                .withName(plan.name());
    }

    /** Event handler that wakes the control loop on every watch event. */
    private final class WakeUpHandler<T extends HasMetadata> implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T added) {
            wake();
        }

        @Override
        public void onUpdate(T before, T after) {
            wake();
        }

        @Override
        public void onDelete(T deleted, boolean unknown) {
            wake();
        }
    }

    private void wake() {
        wakes.forEach(Runnable::run);
    }

    @Override
    public Optional<Instant> staleSince() {
        return outage.since(resources.isWatching() && pods.isWatching());
    }

    @Override
    public synchronized JobObservation observe(JobPlan of) {
        // Measures a watch outage from the previous observation.
        staleSince();
        Optional<CustomResourceState> found = find().map(one -> CustomResourceState.of(resource, plan, one));
        List<ObservedPod> seen = pods.getStore().list().stream()
                .flatMap(pod -> resource.pods().replica(pod, resource.kind(), uid).stream())
                .toList();
        latest = new DelegatedJobReconciler.Observation(found, seen, cancelled);
        return new JobObservation(seen.stream().map(ObservedPod::replica).toList());
    }

    private Optional<GenericKubernetesResource> find() {
        Optional<GenericKubernetesResource> shown =
                resources.getStore().list().stream().filter(this::same).findFirst();
        if (shown.isPresent()) {
            met = true;
        }
        // The list may be older than the creation.
        return met ? shown : Optional.ofNullable(one().get()).filter(this::same);
    }

    private boolean same(GenericKubernetesResource one) {
        return one.getMetadata().getUid().equals(uid);
    }

    /** Sets whether this program has requested the deletion of the resource. */
    void cancelled(boolean asked) {
        cancelled = asked;
    }

    /** Returns the resource and pods as {@link #observe} last read them. */
    synchronized DelegatedJobReconciler.Observation latest() {
        return latest;
    }

    /** Returns the job's pod of this name from the watch; empty when there is none. */
    Optional<Pod> pod(String name) {
        return pods.getStore().list().stream()
                .filter(pod -> pod.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** Reads the resource from the API server; empty when it does not exist. */
    Optional<GenericKubernetesResource> now() {
        return Optional.ofNullable(one().get()).filter(this::same);
    }

    /**
     * Reads the resource from the API server.
     *
     * @throws IllegalStateException when it does not exist
     */
    GenericKubernetesResource get() {
        return now().orElseThrow(() -> new IllegalStateException("job \"" + plan.name() + "\" no longer exists: "
                + resource.named(plan.namespace(), plan.name()) + " was deleted"));
    }

    /**
     * Deletes the pod of a DeleteReplica action; ignores other actions, which this substrate's reconciler does not
     * return.
     */
    @Override
    public void apply(JobPlan of, Action action) {
        if (action instanceof Action.DeleteReplica delete) {
            latest().pods().stream()
                    .map(ObservedPod::replica)
                    .filter(pod -> pod.name().equals(delete.replica())
                            && delete.concerns(pod.uid().orElse("")))
                    .forEach(pod -> ClusterApi.of(client, plan.namespace())
                            .deletePod(pod.name(), pod.uid().or(delete::uid), OptionalLong.empty()));
        }
    }

    @Override
    public FailureCause explain(RuntimeException failure) {
        return ApiFailures.explain(failure);
    }

    @Override
    public Subscription onChange(String job, Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    /** Stops the watches, and leaves the resource and its pods in the cluster. */
    @Override
    public void close() {
        resources.close();
        pods.close();
    }
}
