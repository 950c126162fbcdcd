package dev.edl.k8s.internal.pods;

import dev.edl.k8s.client.PodWatch;
import dev.edl.reconcile.Observed;
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
 * One observation of a job's pods after another, each made of the last one and of the pods that have changed since. A pod that came
 * and went between two observations is shown once, as leaving. Thread-safe.
 */
final class PodObserver {
    private final Predicate<Pod> owned;
    private final Function<Pod, Optional<NodeNotice>> notice;

    /** Uids of the pods that are there and that an observation has shown. */
    private final Set<String> shown = new HashSet<>();

    /** Those that went before an observation showed them, by name. */
    private final Map<String, Pod> gone = new LinkedHashMap<>();

    /** Names of the pods that may be otherwise than the last observation has shown them. */
    private final Set<String> news = new LinkedHashSet<>();

    /** What the last observation made of each pod, by name; one that has changed is another object. */
    private final Map<String, MappedPod> views = new HashMap<>();

    /** Whether all pods are to be looked at. */
    private boolean all = true;

    private Observed latest = Observed.nothing();

    /** What was made of a pod. */
    private record MappedPod(Pod pod, Optional<ObservedReplica> replica) {}

    /**
     * Sights of a job's pods, of which none was seen yet.
     *
     * @param owned whether a pod is the job's
     * @param notice that a pod's node is about to go
     */
    PodObserver(Predicate<Pod> owned, Function<Pod, Optional<NodeNotice>> notice) {
        this.owned = owned;
        this.notice = notice;
    }

    /** A pod has come or changed. */
    synchronized void changed(Pod pod) {
        news.add(pod.getMetadata().getName());
    }

    /** Any pod may have changed, or be gone. */
    synchronized void changed() {
        all = true;
    }

    /** A pod has gone. */
    synchronized void deleted(Pod pod) {
        String name = pod.getMetadata().getName();
        news.add(name);
        if (owned.test(pod) && !shown.remove(pod.getMetadata().getUid())) {
            gone.put(name, pod);
        }
    }

    /** Returns whether a pod of the name came and went since the last observation, and the next one shows it. */
    synchronized boolean came(String name) {
        return gone.containsKey(name);
    }

    /** Whether the next observation differs from the last one though no pod changes: that one showed what is gone. */
    synchronized boolean changing() {
        return !news.isEmpty();
    }

    /**
     * Looks at what has changed.
     *
     * @param pods those that are there now
     */
    synchronized Observed look(PodWatch pods) {
        if (all) {
            news.addAll(views.keySet());
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

    /** The replica of a pod that is there; empty when there is none, or it is not the job's. */
    // A pod that has changed is another object.
    @SuppressWarnings("ReferenceEquality")
    private Optional<ObservedReplica> there(PodWatch pods, String name) {
        Pod pod = pods.get(name);
        if (pod == null) {
            views.remove(name);
            return Optional.empty();
        }
        MappedPod before = views.get(name);
        MappedPod view = before != null && before.pod == pod ? before : new MappedPod(pod, view(pod));
        views.put(name, view);
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
