package dev.edl.k8s;

import dev.edl.RoleType;
import dev.edl.exec.Subscription;
import dev.edl.exec.Substrate;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.NodeNotice;
import dev.edl.reconcile.Observed;
import dev.edl.reconcile.ObservedReplica;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A namespace of a cluster as the place where the replicas of one job run, each a pod that the job's record owns.
 *
 * <p>What is there is known from one watch of the job's pods, kept up by fabric8's informer: it lists anew when the watch is
 * lost or too old. A pod that came and went between two observations is shown once, as leaving.
 */
final class PodSubstrate implements Substrate, ResourceEventHandler<Pod> {
    /** All that is known is looked at anew this often, should a change have been missed. */
    private static final long RESYNC_MILLIS = 60_000;

    private final KubernetesClient client;
    private final JobPlan plan;
    private final PodTexts texts;
    private final JobRecord record;
    private final OwnerReference owner;
    private final SharedIndexInformer<Pod> pods;
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    /** Uids of the pods that are there and that an observation has shown. */
    private final Set<String> shown = new HashSet<>();
    /** Those that went before an observation showed them, by key. */
    private final Map<String, Pod> gone = new LinkedHashMap<>();

    /** Keys of the pods that may be otherwise than the last observation has shown them. */
    private final Set<String> news = new LinkedHashSet<>();

    /** What the last observation made of each pod, by key; one that has changed is another object. */
    private final Map<String, View> views = new HashMap<>();

    /** Whether all pods are to be looked at: none was yet, or which nodes are about to go has changed. */
    private boolean all = true;

    private Observed latest = Observed.nothing();

    private final LogSource logs;

    private final Optional<NodeWatch> nodes;
    private final Subscription notices;

    /** What was made of a pod. */
    private record View(Pod pod, Optional<ObservedReplica> replica) {}

    /**
     * The pods of a job.
     *
     * @param nodes tells which nodes are about to go; empty where nobody wants to know
     * @param requests makes pods ready before they are created
     */
    PodSubstrate(
            KubernetesClient client,
            JobPlan plan,
            PodTemplates templates,
            JobRecord record,
            Optional<NodeWatch> nodes,
            Executor requests) {
        this.client = client;
        this.plan = plan;
        this.record = record;
        this.owner = record.owner();
        this.texts = new PodTexts(client, plan.namespace(), templates, owner, requests);
        this.logs = new LogSource(client);
        this.nodes = nodes;
        this.pods = LastingWatch.of(
                client.pods().inNamespace(plan.namespace()).withLabels(plan.selector()),
                this,
                RESYNC_MILLIS,
                "the pods of job \"" + plan.name() + "\"");
        this.notices = nodes.map(watch -> watch.onChange(this::nodes)).orElse(() -> {});
    }

    @Override
    public synchronized Observed observe(JobPlan of) {
        if (all) {
            all = false;
            news.addAll(views.keySet());
            pods.getStore().list().forEach(pod -> news.add(Cache.metaNamespaceKeyFunc(pod)));
        }
        List<ObservedReplica> changed = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (String key : news) {
            Optional<ObservedReplica> replica = look(key).or(() -> leaving(key));
            if (replica.isEmpty()) {
                left.add(name(key));
            } else if (!replica.equals(latest.replica(name(key)))) {
                changed.add(replica.get());
            }
        }
        news.clear();
        if (!gone.isEmpty()) {
            // The next observation will not show them, which is a change.
            news.addAll(gone.keySet());
            gone.clear();
            wake();
        }
        latest = latest.with(changed, left);
        return latest;
    }

    /** The replica of a pod that is there; empty when there is none, or it is not the job's. */
    // A pod that has changed is another object.
    @SuppressWarnings("ReferenceEquality")
    private Optional<ObservedReplica> look(String key) {
        Pod pod = pods.getStore().getByKey(key);
        if (pod == null) {
            views.remove(key);
            return Optional.empty();
        }
        View before = views.get(key);
        View view = before != null && before.pod == pod ? before : new View(pod, view(pod));
        views.put(key, view);
        return view.replica.map(r -> notice(pod).map(r::on).orElse(r));
    }

    private Optional<ObservedReplica> leaving(String key) {
        return Optional.ofNullable(gone.get(key)).flatMap(PodView::of).map(ObservedReplica::leaving);
    }

    private String name(String key) {
        return key.substring(plan.namespace().length() + 1);
    }

    private Optional<NodeNotice> notice(Pod pod) {
        return nodes.flatMap(watch -> watch.notice(pod));
    }

    /** The replicas of a role that run on nodes that are about to go, by name, in the order of their ids. */
    Map<String, NodeNotice> noticed(RoleType role) {
        Map<String, NodeNotice> noticed = new LinkedHashMap<>();
        ofRole(role).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && !PodView.hasEnded(pod))
                .sorted(Comparator.comparing(PodView::id))
                .forEach(pod -> notice(pod)
                        .ifPresent(notice -> noticed.put(pod.getMetadata().getName(), notice)));
        return noticed;
    }

    JobRecord record() {
        return record;
    }

    LogSource logs() {
        return logs;
    }

    /** The replicas' pods, as far as is known. */
    List<Pod> pods() {
        return pods.getStore().list().stream()
                .filter(pod -> owned(pod) && PodView.of(pod).isPresent())
                .toList();
    }

    /** A pod as it is now; empty when it is gone. */
    Optional<Pod> now(Pod pod) {
        return Optional.ofNullable(pods.getStore().getByKey(pods.getStore().getKey(pod)))
                .filter(there ->
                        there.getMetadata().getUid().equals(pod.getMetadata().getUid()));
    }

    private Optional<ObservedReplica> view(Pod pod) {
        if (!owned(pod)) {
            return Optional.empty();
        }
        shown.add(pod.getMetadata().getUid());
        return PodView.of(pod);
    }

    private boolean owned(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference -> reference.getUid().equals(owner.getUid()));
    }

    @Override
    public void prepare(JobPlan of, List<Action> actions) {
        texts.prepare(actions);
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
        try {
            // As text, since nobody reads the pod that comes back: the watch shows it.
            client.raw("/api/v1/namespaces/" + plan.namespace() + "/pods", "POST", texts.take(replica));
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            Pod there = client.pods()
                    .inNamespace(plan.namespace())
                    .withName(replica.name())
                    .get();
            if (there != null && !owned(there)) {
                throw new IllegalStateException(
                        "pod " + replica.name() + " is there and does not belong to the job; delete it, or name the job"
                                + " otherwise",
                        e);
            }
        }
    }

    /** Runs a command in a pod of the job. */
    PodResult exec(String name, PodCommand command) throws InterruptedException {
        return new PodExec(client, command, () -> pod(name)).run(name, wake -> onChange(plan.name(), wake));
    }

    /** A pod of the job as it is known; null when there is none. */
    @Nullable
    Pod pod(String name) {
        Pod pod = pods.getStore().getByKey(Cache.namespaceKeyFunc(plan.namespace(), name));
        return pod != null && owned(pod) ? pod : null;
    }

    /** The replicas whose pods are there. */
    List<ObservedReplica> there() {
        return pods.getStore().list().stream()
                .filter(this::owned)
                .flatMap(pod -> PodView.of(pod).stream())
                .toList();
    }

    /** The pods of a role as they are known. */
    List<Pod> ofRole(RoleType role) {
        return pods.getStore().list().stream()
                .filter(pod -> owned(pod)
                        && pod.getMetadata().getAnnotations() != null
                        && role.id().equals(pod.getMetadata().getAnnotations().get(PodView.ROLE)))
                .toList();
    }

    @Override
    public Subscription onChange(String job, Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    @Override
    public void onAdd(Pod pod) {
        changed(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod now) {
        changed(now);
    }

    private void changed(Pod pod) {
        synchronized (this) {
            news.add(Cache.metaNamespaceKeyFunc(pod));
        }
        wake();
    }

    private void nodes() {
        synchronized (this) {
            all = true;
        }
        wake();
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
        synchronized (this) {
            String key = Cache.metaNamespaceKeyFunc(pod);
            news.add(key);
            if (owned(pod) && !shown.remove(pod.getMetadata().getUid())) {
                gone.put(key, pod);
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
        notices.close();
        pods.close();
    }
}
