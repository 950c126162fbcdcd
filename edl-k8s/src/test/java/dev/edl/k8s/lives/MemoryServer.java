package dev.edl.k8s.lives;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * In-memory API server with the pods and ConfigMaps of one namespace: versions, uids, preconditions, grace periods and
 * garbage collection. {@code ApiContract} compares it with a real one.
 */
final class MemoryServer {
    private static final long DEFAULT_GRACE = 30;

    final Map<String, Pod> pods = new LinkedHashMap<>();
    final Map<String, ConfigMap> maps = new LinkedHashMap<>();
    private final Map<String, Boolean> scheduled = new LinkedHashMap<>();
    /** Every change of a pod, oldest first. */
    final List<Change> history = new ArrayList<>();

    private final List<Consumer<Change>> watches = new ArrayList<>();
    private final Timeline time;
    private long version = 100;
    private long uids;

    /** Mutating webhook that changes pods before they are stored. */
    UnaryOperator<Pod> webhook = UnaryOperator.identity();

    /** Change of a pod, as a watch event. */
    record Change(long version, Pod pod, boolean gone) {}

    MemoryServer(Timeline time) {
        this.time = time;
    }

    long version() {
        return version;
    }

    void watch(Consumer<Change> watch) {
        watches.add(watch);
    }

    void unwatch(Consumer<Change> watch) {
        watches.remove(watch);
    }

    private void tell(Pod pod, boolean gone) {
        Change change = new Change(version, pod, gone);
        history.add(change);
        List.copyOf(watches).forEach(watch -> watch.accept(change));
    }

    Pod create(Pod asked) {
        String name = Pods.name(asked);
        if (pods.containsKey(name)) {
            throw Errors.exists(name);
        }
        Pod pod = webhook.apply(Pods.copy(asked));
        pod.getMetadata().setUid("uid-" + ++uids);
        pod.getMetadata().setCreationTimestamp(time.instant().toString());
        pod.getMetadata().setResourceVersion(Long.toString(++version));
        pod.setStatus(Pods.status("Pending"));
        pods.put(name, pod);
        tell(pod, false);
        if (orphan(pod)) {
            time.in(1_000, () -> collect(pod));
        }
        return pod;
    }

    /** Deletes a pod, at once or after its grace period; returns its earlier state. */
    Pod delete(String name, Optional<String> uid, OptionalLong graceSeconds) {
        Pod pod = pods.get(name);
        if (pod == null) {
            throw Errors.missing(name);
        }
        if (uid.isPresent() && !uid.get().equals(Pods.uid(pod))) {
            throw Errors.conflict(name);
        }
        Long own = pod.getSpec().getTerminationGracePeriodSeconds();
        long grace = graceSeconds.orElse(own == null ? DEFAULT_GRACE : own);
        if (grace == 0 || !onNode(pod) || Pods.ended(pod)) {
            remove(pod);
        } else if (!Pods.leaves(pod)) {
            Pod next = Pods.copy(pod);
            next.getMetadata().setDeletionGracePeriodSeconds(grace);
            next.getMetadata()
                    .setDeletionTimestamp(time.instant().plusSeconds(grace).toString());
            put(next);
        }
        return pod;
    }

    private boolean onNode(Pod pod) {
        return pod.getSpec().getNodeName() != null || scheduled.containsKey(Pods.uid(pod));
    }

    /** Assigns the pod to a node; from then on only the node ends its deletion. */
    void schedule(Pod pod) {
        scheduled.put(Pods.uid(pod), true);
    }

    /** Returns the pod of a name, which must exist. */
    Pod there(String name) {
        return Objects.requireNonNull(pods.get(name), name);
    }

    /** Returns the current pod of the same uid; null when it is gone. */
    @Nullable
    Pod now(Pod pod) {
        Pod found = pods.get(Pods.name(pod));
        return found != null && Pods.uid(found).equals(Pods.uid(pod)) ? found : null;
    }

    void status(Pod pod, PodStatus status) {
        Pod found = now(pod);
        if (found != null) {
            Pod next = Pods.copy(found);
            next.setStatus(status);
            put(next);
        }
    }

    void label(Pod pod, String key, String value) {
        Pod next = Pods.copy(pod);
        Map<String, String> labels = new LinkedHashMap<>(next.getMetadata().getLabels());
        labels.put(key, value);
        next.getMetadata().setLabels(labels);
        put(next);
    }

    void label(ConfigMap map, String key, String value) {
        ObjectMeta meta = Pods.copy(map.getMetadata());
        Map<String, String> labels = new LinkedHashMap<>(meta.getLabels());
        labels.put(key, value);
        meta.setLabels(labels);
        put(map, meta);
    }

    private void put(Pod next) {
        next.getMetadata().setResourceVersion(Long.toString(++version));
        pods.put(Pods.name(next), next);
        tell(next, false);
    }

    /** Removes a pod at once. */
    void remove(Pod pod) {
        Pod found = now(pod);
        if (found != null) {
            pods.remove(Pods.name(found));
            Pod last = Pods.copy(found);
            last.getMetadata().setResourceVersion(Long.toString(++version));
            tell(last, true);
        }
    }

    private boolean orphan(Pod pod) {
        List<OwnerReference> owners = pod.getMetadata().getOwnerReferences();
        return owners != null
                && !owners.isEmpty()
                && owners.stream()
                        .noneMatch(owner -> maps.values().stream()
                                .anyMatch(map -> map.getMetadata().getUid().equals(owner.getUid())));
    }

    private void collect(Pod pod) {
        Pod found = now(pod);
        if (found != null && !Pods.leaves(found)) {
            delete(Pods.name(found), Optional.of(Pods.uid(found)), OptionalLong.empty());
        }
    }

    ConfigMap create(ConfigMap asked) {
        String name = asked.getMetadata().getName();
        if (maps.containsKey(name)) {
            throw Errors.exists(name);
        }
        ObjectMeta meta = Pods.copy(asked.getMetadata());
        meta.setUid("uid-" + ++uids);
        meta.setCreationTimestamp(time.instant().toString());
        return put(asked, meta);
    }

    ConfigMap replace(ConfigMap next) {
        String name = next.getMetadata().getName();
        ConfigMap found = maps.get(name);
        if (found == null) {
            throw Errors.missing(name);
        }
        check(found, next);
        if (found.getMetadata().getLabels().equals(next.getMetadata().getLabels())
                && found.getData().equals(next.getData())
                && found.getBinaryData().equals(next.getBinaryData())) {
            // A write without changes keeps the version.
            return found;
        }
        return put(next, Pods.copy(next.getMetadata()));
    }

    private ConfigMap put(ConfigMap map, ObjectMeta meta) {
        meta.setResourceVersion(Long.toString(++version));
        ConfigMap kept = new ConfigMap();
        kept.setMetadata(meta);
        kept.setData(map.getData());
        kept.setBinaryData(map.getBinaryData());
        maps.put(meta.getName(), kept);
        return kept;
    }

    private static void check(ConfigMap found, ConfigMap given) {
        if (!found.getMetadata().getUid().equals(given.getMetadata().getUid())
                || !found.getMetadata()
                        .getResourceVersion()
                        .equals(given.getMetadata().getResourceVersion())) {
            throw Errors.conflict(given.getMetadata().getName());
        }
    }

    void delete(ConfigMap given) {
        ConfigMap found = maps.get(given.getMetadata().getName());
        if (found == null) {
            throw Errors.missing(given.getMetadata().getName());
        }
        check(found, given);
        drop(found);
    }

    /** Deletes a ConfigMap of any version, as a user does; its pods are collected afterwards. */
    void drop(ConfigMap map) {
        version++;
        maps.remove(map.getMetadata().getName());
        for (Pod pod : List.copyOf(pods.values())) {
            if (orphan(pod)) {
                time.in(500, () -> collect(pod));
            }
        }
    }
}
