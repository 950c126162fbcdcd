package dev.edl.k8s.internal.pods;

import dev.edl.exec.FailureCause;
import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.client.ApiFailures;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.PodHandler;
import dev.edl.k8s.client.PodWatch;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.nodes.NodeWatch;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobObservation;
import dev.edl.spec.RoleType;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Substrate that runs the replicas of one job as pods of a namespace. The job's record owns each pod.
 *
 * <p>One watch of the job's pods shows which exist. When the watch ends, a new list and a new watch follow.
 */
public final class PodSubstrate implements Substrate, PodHandler {
    private final ClusterApi api;
    private final PodJsonCache cache;
    private final JobRecord record;
    private final OwnerReference owner;
    private final PodWatch pods;
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private final PodObserver observer;
    private final PodDeletionHold unread = new PodDeletionHold(System::nanoTime);
    private final FirstPodCreations validation;
    private final Optional<NodeWatch> nodes;
    private final Subscription notices;
    private final Optional<KueueGroup> group;

    /**
     * Creates the substrate of a job.
     *
     * @param nodes watch of nodes that are about to go; empty if the executor does not watch nodes
     * @param requests threads that prepare pods before they are created
     */
    public PodSubstrate(
            ClusterApi api,
            JobPlan plan,
            PodTemplates templates,
            JobRecord record,
            Optional<NodeWatch> nodes,
            Executor requests) {
        this.api = api;
        this.record = record;
        this.owner = record.owner();
        this.group = KueueGroup.of(api, plan, templates);
        this.cache = new PodJsonCache(api, templates, owner, group.isPresent(), requests);
        this.nodes = nodes;
        this.validation = new FirstPodCreations(plan);
        this.observer = new PodObserver(this::owned, this::notice);
        this.pods = api.watchPods(plan.selector(), this, "the pods of job \"" + plan.name() + "\"");
        this.notices = nodes.map(watch -> watch.onChange(this::resync)).orElse(() -> {});
    }

    @Override
    public JobObservation observe(JobPlan of) {
        record.confirmIfSilent();
        // An outage of the watch counts from the last observation of it.
        staleSince();
        group.ifPresent(one -> one.release(pods(), this::hasEnded));
        JobObservation seen = observer.refresh(pods);
        if (observer.changing()) {
            // It showed deleted pods for the last time.
            wake();
        }
        return seen;
    }

    @Override
    public Optional<Instant> staleSince() {
        return pods.staleSince();
    }

    private Optional<NodeNotice> notice(Pod pod) {
        return nodes.flatMap(watch -> watch.notice(pod));
    }

    /** Returns the replicas of a role on nodes that are about to go, by name, in the order of their ids. */
    public Map<String, NodeNotice> noticed(RoleType role) {
        Map<String, NodeNotice> noticed = new LinkedHashMap<>();
        ofRole(role).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && !PodMapper.hasEnded(pod))
                .sorted(Comparator.comparing(PodMapper::id))
                .forEach(pod -> notice(pod)
                        .ifPresent(notice -> noticed.put(pod.getMetadata().getName(), notice)));
        return noticed;
    }

    /** Returns the logs for which the pods of ended replicas wait. */
    public PodDeletionHold unread() {
        return unread;
    }

    public JobRecord record() {
        return record;
    }

    public FirstPodCreations answers() {
        return validation;
    }

    @Override
    public FailureCause explain(RuntimeException failure) {
        return ApiFailures.explain(failure);
    }

    /** Returns the replicas' known pods. */
    public List<Pod> pods() {
        return OwnedPods.of(owner.getUid(), pods.list()).pods();
    }

    /** Returns the current state of a pod; empty when it is gone. */
    public Optional<Pod> now(Pod pod) {
        return Optional.ofNullable(pods.get(pod.getMetadata().getName()))
                .filter(there ->
                        there.getMetadata().getUid().equals(pod.getMetadata().getUid()));
    }

    private boolean owned(Pod pod) {
        return OwnedPods.owned(pod, owner.getUid());
    }

    @Override
    public void prepare(JobPlan of, List<Action> actions) {
        cache.prepare(actions);
    }

    @Override
    public void apply(JobPlan of, Action action) {
        if (action instanceof Action.CreateReplica create) {
            record.confirmDriver();
            create(create.replica());
        } else if (action instanceof Action.DeleteReplica delete) {
            record.confirmDriver();
            delete(delete);
        } else if (action instanceof Action.CollectJob) {
            record.collect();
        }
    }

    /** Deletes a pod of the job only, by its uid. */
    private void delete(Action.DeleteReplica delete) {
        String name = delete.replica();
        Optional<Pod> there =
                observed(delete).or(() -> api.pod(name).filter(this::owned)).filter(pod -> delete.concerns(uid(pod)));
        // Before the deletion, so that Kueue ends the group even if no driver sees the pods go.
        group.filter(one -> hasEnded()).ifPresent(one -> one.finish(pods()));
        // The deletion of a held pod is requested again as long as the pod exists.
        if (there.isEmpty() || unread.hold(there.get())) {
            return;
        }
        if (delete.uid().isEmpty()) {
            // The pod was not observed: after a take-over it may belong to the next driver.
            record.confirmNow();
        }
        api.deletePod(
                name, there.map(PodSubstrate::uid), delete.graceful() ? OptionalLong.empty() : OptionalLong.of(0));
    }

    /** Returns the pod that the action is to delete, as the watch knows it. */
    private Optional<Pod> observed(Action.DeleteReplica delete) {
        return Optional.ofNullable(pod(delete.replica()))
                .filter(pod -> delete.uid().isPresent() && delete.concerns(uid(pod)));
    }

    private boolean hasEnded() {
        return record.state().phase().ended();
    }

    /** Releases the quota of the job's group to Kueue once its pods have ended. */
    public void finish() {
        group.ifPresent(one -> one.finish(pods()));
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    private void create(ReplicaPlan replica) {
        if (pod(replica.name()) != null || observer.came(replica.name())) {
            // The watch has shown this pod since the decision: it was created already, and may be deleted by now.
            return;
        }
        if (group.filter(one -> one.waits(replica, pods())).isPresent()) {
            // The creation is requested again.
            return;
        }
        try {
            api.createPod(cache.take(replica));
            validation.created(replica.role());
        } catch (KubernetesClientException e) {
            validation.failed(replica.role(), e);
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            api.pod(replica.name()).filter(there -> !owned(there)).ifPresent(there -> {
                throw new IllegalStateException(foreign(there), e);
            });
        }
    }

    private static String foreign(Pod pod) {
        String name = pod.getMetadata().getName();
        return pod.getMetadata().getDeletionTimestamp() == null
                ? "pod " + name + " exists and does not belong to the job; delete it, or give the job another name"
                : "pod " + name + " does not belong to the job and is being deleted; the replica is created once it"
                        + " is gone";
    }

    /** Returns the known pod of the job; null if none has the name. */
    @Nullable
    public Pod pod(String name) {
        Pod pod = pods.get(name);
        return pod != null && owned(pod) ? pod : null;
    }

    /** Returns the replicas whose pods exist. */
    public List<ObservedReplica> there() {
        return pods.list().stream()
                .filter(this::owned)
                .flatMap(pod -> PodMapper.of(pod).stream())
                .toList();
    }

    /** Returns the known pods of a role. */
    public List<Pod> ofRole(RoleType role) {
        return pods.list().stream()
                .filter(pod -> owned(pod)
                        && pod.getMetadata().getAnnotations() != null
                        && role.id().equals(pod.getMetadata().getAnnotations().get(PodMapper.ROLE)))
                .toList();
    }

    @Override
    public Subscription onChange(String job, Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    @Override
    public void changed(Pod pod) {
        observer.changed(pod);
        wake();
    }

    @Override
    public void deleted(Pod pod) {
        observer.deleted(pod);
        wake();
    }

    @Override
    public void resync() {
        observer.changed();
        wake();
    }

    private void wake() {
        wakes.forEach(Runnable::run);
    }

    /** Ends the watch; the pods run on. */
    @Override
    public void close() {
        notices.close();
        pods.close();
    }
}
