package dev.edl.k8s.internal.pods;

import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Group of a job's pods that Kueue admits together.
 *
 * <p>Kueue keeps the quota of a group until all its pods have succeeded, or none runs and one is marked as not
 * retriable. It keeps each ended pod until another one takes its place, and deletes a pod that comes before a place is
 * free. So a pod is created only into a free place, an ended pod is released to make room for one of its name, and the
 * end of the job marks a pod. By {@code pkg/controller/jobs/pod/pod_controller.go} of Kueue 0.19.
 */
public final class KueueGroup {
    private static final Logger LOG = System.getLogger(KueueGroup.class.getName());

    /** Whether this program has logged that it may not patch pods. */
    private static final AtomicBoolean WARNED = new AtomicBoolean();

    static final String FINALIZER = "kueue.x-k8s.io/managed";
    static final String RETRIABLE = "kueue.x-k8s.io/retriable-in-group";

    private final ClusterApi api;
    private final JobPlan plan;
    private boolean over;

    private KueueGroup(ClusterApi api, JobPlan plan) {
        this.api = api;
        this.plan = plan;
    }

    /** Returns the group of a job; empty when its pods are in none. */
    static Optional<KueueGroup> of(ClusterApi api, JobPlan plan, PodTemplates templates) {
        return KueueMetadata.hasGroup(plan, role -> templates.get(role, 0, 0))
                ? Optional.of(new KueueGroup(api, plan))
                : Optional.empty();
    }

    /**
     * Returns whether a replica must not be created yet. A member waits until its predecessor has ended, or Kueue would
     * delete it. A further pod waits until the group is admitted, or it would run alone.
     */
    boolean waits(ReplicaPlan replica, Collection<Pod> pods) {
        int members = KueueMetadata.members(plan, plan.role(replica.role().id()));
        if (replica.index() >= members) {
            return pods.stream()
                    .filter(pod -> isMember(pod) && pod.getMetadata().getDeletionTimestamp() == null)
                    .allMatch(KueueSchedulingGate::gated);
        }
        String role = replica.role().id();
        return pods.stream()
                        .filter(pod -> isMember(pod) && isActive(pod))
                        .filter(pod -> role.equals(annotations(pod).get(PodMapper.ROLE)))
                        .count()
                >= members;
    }

    /**
     * Releases ended pods that are being deleted, and after the job's end the quota.
     *
     * @param ended returns whether the job has ended; it is called only if a pod has
     */
    void release(Collection<Pod> pods, BooleanSupplier ended) {
        List<Pod> held = pods.stream().filter(KueueGroup::isHeld).toList();
        if (held.stream().allMatch(pod -> isActive(pod) && !hasEnded(pod))) {
            return;
        }
        boolean last = ended.getAsBoolean();
        if (last) {
            finish(held);
        }
        held.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
                .filter(pod -> last ? !isActive(pod) && !hasEnded(pod) : !isActive(pod) || hasEnded(pod))
                .forEach(pod -> patch(api, pod, without(pod.getMetadata())));
    }

    /** Marks the group as ending with its pods, unless it is marked already. */
    synchronized void finish(Collection<Pod> pods) {
        over = over || finish(api, pods);
    }

    /**
     * Marks the group of these pods, if they are in one, as ending with them.
     *
     * @return whether the group is marked
     */
    public static boolean finish(ClusterApi api, Collection<Pod> pods) {
        return pods.stream()
                        .anyMatch(pod ->
                                isHeld(pod) && "false".equals(annotations(pod).get(RETRIABLE)))
                || pods.stream()
                        .filter(KueueGroup::isHeld)
                        .sorted(Comparator.comparing(pod -> pod.getMetadata().getDeletionTimestamp() != null))
                        .anyMatch(pod ->
                                patch(api, pod, Map.of("metadata", Map.of("annotations", Map.of(RETRIABLE, "false")))));
    }

    /**
     * Patches a pod. A driver without the permission drives its job all the same: Kueue then keeps the pods, whose
     * reason names its finalizer.
     *
     * @return false when the pod is gone or has changed
     */
    private static boolean patch(ClusterApi api, Pod pod, Map<String, Object> patch) {
        try {
            return api.patchPod(pod.getMetadata().getName(), patch);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            LOG.log(
                    WARNED.getAndSet(true) ? Level.DEBUG : Level.WARNING,
                    "Kueue keeps pod " + pod.getMetadata().getName()
                            + " and its quota; grant patch of pods in namespace \"" + api.namespace() + "\": "
                            + e.getMessage());
            return true;
        }
    }

    private static Map<String, Object> without(ObjectMeta pod) {
        List<String> others = pod.getFinalizers().stream()
                .filter(finalizer -> !finalizer.equals(FINALIZER))
                .toList();
        return Map.of("metadata", Map.of("resourceVersion", pod.getResourceVersion(), "finalizers", others));
    }

    private static boolean isHeld(Pod pod) {
        return isMember(pod)
                && PodMapper.list(pod.getMetadata().getFinalizers()).contains(FINALIZER);
    }

    private static boolean isMember(Pod pod) {
        return labels(pod.getMetadata()).containsKey(KueueMetadata.GROUP);
    }

    /** Returns whether the pod takes a place of its group, as Kueue decides it. */
    private static boolean isActive(Pod pod) {
        boolean never = pod.getMetadata().getDeletionTimestamp() != null
                && (pod.getSpec().getNodeName() == null
                        || pod.getSpec().getNodeName().isEmpty());
        return !never && !"Failed".equals(phase(pod));
    }

    private static boolean hasEnded(Pod pod) {
        return "Failed".equals(phase(pod)) || "Succeeded".equals(phase(pod));
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
    }

    private static Map<String, String> labels(ObjectMeta of) {
        return of.getLabels() == null ? Map.of() : of.getLabels();
    }

    private static Map<String, String> annotations(Pod pod) {
        return pod.getMetadata().getAnnotations() == null
                ? Map.of()
                : pod.getMetadata().getAnnotations();
    }
}
