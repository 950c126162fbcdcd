package dev.edl.k8s.internal.pods;

import dev.edl.k8s.client.PodWatch;
import dev.edl.reconcile.JobObservation;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Builds each observation of a job's pods from the last one and the changed pods. A pod that was created and deleted
 * between two observations appears once, as leaving. Thread-safe.
 */
final class PodObserver {
    private final Predicate<Pod> owned;
    private final Function<Pod, Optional<NodeNotice>> notice;

    /** Uids of existing pods that an observation has shown. */
    private final Set<String> shown = new HashSet<>();

    /** Pods that were deleted before an observation showed them, by name. */
    private final Map<String, Pod> gone = new LinkedHashMap<>();

    /** Names of the pods that may differ from the last observation. */
    private final Set<String> news = new LinkedHashSet<>();

    /**
     * Pods of the last observation with their replicas, by name. The watch replaces the object of a changed pod, so the
     * same object needs no second mapping.
     */
    private final Map<String, MappedPod> mapped = new HashMap<>();

    /** Whether all pods must be observed again. */
    private boolean all = true;

    private JobObservation latest = JobObservation.nothing();

    /** Pod and its observed replica. */
    private record MappedPod(Pod pod, Optional<ObservedReplica> replica) {}

    /**
     * Creates an observer that has seen no pods yet.
     *
     * @param owned returns whether a pod belongs to the job
     * @param notice returns the notice that a pod's node is about to go; empty without one
     */
    PodObserver(Predicate<Pod> owned, Function<Pod, Optional<NodeNotice>> notice) {
        this.owned = owned;
        this.notice = notice;
    }

    /** Records a new or changed pod. */
    synchronized void changed(Pod pod) {
        news.add(pod.getMetadata().getName());
    }

    /** Records that any pod may have changed or been deleted. */
    synchronized void changed() {
        all = true;
    }

    /** Records a deleted pod. */
    synchronized void deleted(Pod pod) {
        String name = pod.getMetadata().getName();
        news.add(name);
        if (owned.test(pod) && !shown.remove(pod.getMetadata().getUid())) {
            gone.put(name, pod);
        }
    }

    /** Returns whether a pod of the name was created and deleted since the last observation; the next one shows it. */
    synchronized boolean came(String name) {
        return gone.containsKey(name);
    }

    /**
     * Returns whether the next observation differs without further pod changes, because the last one showed a deleted
     * pod.
     */
    synchronized boolean changing() {
        return !news.isEmpty();
    }

    /**
     * Updates the last observation by the pods that have changed since, and returns it.
     *
     * @param pods watch of the existing pods
     */
    synchronized JobObservation refresh(PodWatch pods) {
        if (all) {
            news.addAll(mapped.keySet());
            pods.list().forEach(pod -> news.add(pod.getMetadata().getName()));
        }
        List<ObservedReplica> changed = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (String name : news) {
            Optional<ObservedReplica> replica = there(pods, name).or(() -> leaving(name));
            if (replica.isEmpty()) {
                left.add(name);
            } else if (!replica.equals(latest.replica(name))) {
                changed.add(replica.get());
            }
        }
        latest = latest.with(changed, left);
        all = false;
        news.clear();
        news.addAll(gone.keySet());
        gone.clear();
        return latest;
    }

    /** Returns the replica of an existing pod; empty when none has the name, or it is not the job's. */
    // A changed pod is another object.
    @SuppressWarnings("ReferenceEquality")
    private Optional<ObservedReplica> there(PodWatch pods, String name) {
        Pod pod = pods.get(name);
        if (pod == null) {
            mapped.remove(name);
            return Optional.empty();
        }
        MappedPod before = mapped.get(name);
        MappedPod view = before != null && before.pod == pod ? before : new MappedPod(pod, view(pod));
        mapped.put(name, view);
        return view.replica.map(r -> notice.apply(pod).map(r::withNotice).orElse(r));
    }

    private Optional<ObservedReplica> view(Pod pod) {
        if (!owned.test(pod)) {
            return Optional.empty();
        }
        shown.add(pod.getMetadata().getUid());
        return PodMapper.of(pod);
    }

    private Optional<ObservedReplica> leaving(String name) {
        return Optional.ofNullable(gone.get(name)).flatMap(PodMapper::of).map(ObservedReplica::beingDeleted);
    }
}
