package dev.edl.operators.controller;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesExecutorBuilder;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.client.ReconnectingInformer;
import dev.edl.operators.controller.internal.FailureCategory;
import dev.edl.operators.controller.internal.JobAdmission;
import dev.edl.operators.controller.internal.ObjectKey;
import dev.edl.operators.controller.internal.QueueStatus;
import dev.edl.operators.controller.internal.WatchStaleness;
import dev.edl.operators.controller.internal.WorkQueue;
import dev.edl.operators.controller.metrics.ControllerMetricsSnapshot;
import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Session of the leading controller: watches the objects and has a driver for each. Thread-safe. */
final class LeaderSession implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Controller.class.getName());
    /** Maximum number of concurrent reconcile passes, not counting stuck ones. */
    private static final int THREADS = 4;
    /** Maximum wait for all drivers together to close. */
    private static final Duration END = Duration.ofSeconds(20);

    /** Interval at which the progress of the watches is checked. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Namespace of a watch of all namespaces. */
    private static final String ALL = "";

    private final KubernetesClient client;
    private final LeaderSessionSettings settings;
    private final JobAdmission admission;
    private final Map<String, WatchedKind> kinds = new LinkedHashMap<>();
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final Map<ObjectKey, ActiveDriver> held = new ConcurrentHashMap<>();
    private final WorkQueue<ObjectKey> queue;

    private record Watch(
            String kind,
            String resource,
            String namespace,
            SharedIndexInformer<GenericKubernetesResource> informer,
            WatchStaleness pulse) {
        boolean sees(String of, String in) {
            return kind.equals(of) && (namespace.equals(ALL) || namespace.equals(in));
        }
    }

    /** Driver of an object, with the uid of the object that it was opened for. */
    private record ActiveDriver(String uid, ObjectDriver driver) {}

    /** Starts a watch for each kind and namespace of the settings. */
    LeaderSession(KubernetesClient client, LeaderSessionSettings settings) {
        this.client = client;
        this.settings = settings;
        this.admission = new JobAdmission(
                settings.limits().perJob(),
                settings.limits().perNamespace(),
                settings.limits().total());
        this.queue = new WorkQueue<>("edl-controller", THREADS, this::reconcile, settings.broken());
        List<String> namespaces = settings.namespaces();
        settings.kinds().forEach(kind -> {
            WatchedKind watchedKind = WatchedKind.of(kind);
            this.kinds.put(watchedKind.key(), watchedKind);
        });
        for (WatchedKind kind : this.kinds.values()) {
            for (String namespace : namespaces.isEmpty() ? List.of(ALL) : namespaces) {
                watches.add(watch(kind, namespace));
            }
        }
        watches.forEach(watch -> watch.informer().start());
        queue.every(LOOK, this::poll);
    }

    private Watch watch(WatchedKind kind, String namespace) {
        var all = kind.in(client);
        SharedIndexInformer<GenericKubernetesResource> informer = ReconnectingInformer.consistent(
                        namespace.equals(ALL) ? all.inAnyNamespace() : all.inNamespace(namespace))
                .runnableInformer(0)
                .addEventHandler(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(GenericKubernetesResource object) {
                        queue.add(key(kind, object));
                    }

                    @Override
                    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
                        queue.add(key(kind, object));
                    }

                    @Override
                    public void onDelete(GenericKubernetesResource object, boolean unknown) {
                        queue.add(key(kind, object));
                    }
                })
                .exceptionHandler((started, why) -> {
                    LOG.log(
                            Level.WARNING,
                            MissingPermission.withGrantCommand(
                                    kind.key() + "s cannot be watched; retrying: " + why.getMessage()));
                    return true;
                });
        String resource = kind.kind().definition().getMetadata().getName();
        return new Watch(kind.key(), resource, namespace, informer, new WatchStaleness(System.nanoTime()));
    }

    /**
     * Records the progress of each watch. Called every {@link #LOOK}, so that a watch's age in the metrics does not
     * depend on how often they are read.
     */
    private void poll() {
        long now = System.nanoTime();
        watches.forEach(watch -> watch.pulse().record(watch.informer().lastSyncResourceVersion(), now));
    }

    private static ObjectKey key(WatchedKind kind, GenericKubernetesResource object) {
        return new ObjectKey(
                kind.key(),
                object.getMetadata().getNamespace(),
                object.getMetadata().getName());
    }

    KubernetesClient client() {
        return client;
    }

    /** Returns a builder of an executor for one job, with the client, node watch and settings that all jobs share. */
    KubernetesExecutorBuilder executor() {
        KubernetesExecutorBuilder executor = KubernetesExecutor.builder()
                .client(client)
                .forceDelete(settings.forceDelete())
                .onRequestFailure((plan, failure) -> settings.requests().add(FailureCategory.of(failure.cause())));
        return settings.nodes().map(executor::nodeWatch).orElse(executor);
    }

    /** Returns the client's operations on the object with this key. */
    Resource<GenericKubernetesResource> resource(ObjectKey key) {
        return resources(key).withName(key.name());
    }

    /** Returns the client's operations on all objects of the key's kind and namespace. */
    NonNamespaceOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            resources(ObjectKey key) {
        return watched(key.kind()).in(client).inNamespace(key.namespace());
    }

    /** Returns the plural of the key's kind as in API paths, such as {@code tfjobs}. */
    String plural(ObjectKey key) {
        return watched(key.kind()).context().getPlural();
    }

    private WatchedKind watched(String kind) {
        WatchedKind watchedKind = kinds.get(kind);
        if (watchedKind == null) {
            throw new IllegalArgumentException("the controller has no kind " + kind + "; it has " + kinds.keySet());
        }
        return watchedKind;
    }

    boolean writesStatusApart(String kind) {
        return watched(kind).statusApart();
    }

    void wake(ObjectKey key) {
        queue.add(key);
    }

    Optional<CustomObject> find(ObjectKey key) {
        return found(key).map(object -> CustomObject.of(object));
    }

    private Optional<GenericKubernetesResource> found(ObjectKey key) {
        return watches.stream()
                .filter(watch -> watch.sees(key.kind(), key.namespace()))
                .map(watch ->
                        Optional.ofNullable(watch.informer().getStore().getByKey(key.namespace() + "/" + key.name())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Admits an object's job within the replica limits; see {@link JobAdmission#admit}. */
    void admit(ObjectKey key, int replicas, BooleanSupplier begun) {
        admission.admit(key, replicas, begun);
    }

    void release(ObjectKey key) {
        admission.release(key);
    }

    void refused(FailureCategory category) {
        settings.refused().add(category);
    }

    ControllerMetricsSnapshot metrics() {
        long now = System.nanoTime();
        Map<ControllerMetricsSnapshot.Watch, Duration> ages = new HashMap<>();
        watches.forEach(watch -> ages.put(
                new ControllerMetricsSnapshot.Watch(watch.resource(), watch.namespace()),
                watch.pulse().age(now)));
        QueueStatus status = queue.status();
        return new ControllerMetricsSnapshot(
                true,
                watches.stream().allMatch(watch -> watch.informer().hasSynced()),
                admission.jobs(),
                admission.replicas(),
                status.depth(),
                status.running(),
                status.stuck(),
                status.oldestWait(),
                Optional.of(status.sinceLastTurn()),
                ages,
                settings.refused().counts(),
                settings.requests().counts());
    }

    /**
     * Returns whether the watches of a kind have listed the namespace's objects. While false, an object that
     * {@link #find} does not return may exist.
     */
    boolean knows(String kind, String namespace) {
        return watches.stream()
                .filter(watch -> watch.sees(kind, namespace))
                .allMatch(watch -> watch.informer().hasSynced());
    }

    List<CustomObject> all(String kind, String namespace) {
        watched(kind);
        return watches.stream()
                .filter(watch -> watch.sees(kind, namespace))
                .flatMap(watch -> watch.informer().getStore().list().stream())
                .filter(object -> object.getMetadata().getNamespace().equals(namespace))
                .map(object -> CustomObject.of(object))
                .toList();
    }

    private Optional<Duration> reconcile(ObjectKey key) {
        Optional<GenericKubernetesResource> object = found(key)
                // An object under foreground deletion must not get new dependents.
                .filter(there -> there.getMetadata().getDeletionTimestamp() == null);
        String uid = object.map(there -> there.getMetadata().getUid()).orElse("");
        ActiveDriver before = held.get(key);
        if (before != null && !before.uid().equals(uid)) {
            before.driver().close();
            held.remove(key);
        }
        if (object.isEmpty()) {
            return Optional.empty();
        }
        CustomObject now = CustomObject.of(object.get());
        ActiveDriver driver = held.computeIfAbsent(
                key,
                k -> new ActiveDriver(
                        uid, watched(key.kind()).kind().open(now, new ObjectDriverContext(this, key, uid))));
        try {
            return driver.driver().reconcile(now);
        } catch (RuntimeException e) {
            refused(FailureCategory.of(e));
            throw e;
        }
    }

    /** Stops the watches and closes all drivers in parallel, each on its own thread. Takes at most 40 s. */
    @Override
    public void close() {
        queue.close();
        watches.forEach(watch -> watch.informer().close());
        List<Thread> closing = new ArrayList<>();
        held.forEach((key, driver) -> {
            Thread thread = new Thread(() -> close(key, driver.driver()), "edl-controller-close");
            thread.setDaemon(true);
            thread.start();
            closing.add(thread);
        });
        held.clear();
        long end = System.nanoTime() + END.toNanos();
        for (Thread thread : closing) {
            try {
                // Zero would wait without limit.
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        long left = closing.stream().filter(Thread::isAlive).count();
        if (left > 0) {
            LOG.log(Level.WARNING, left + " drivers did not end within " + END + "; abandoning them");
        }
    }

    private static void close(ObjectKey key, ObjectDriver driver) {
        try {
            driver.close();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, key + ": closing its driver failed: " + e);
        }
    }
}
