package dev.edl.k8s.render.internal;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Labels and annotations by which Kueue admits pods as one group.
 *
 * @see <a href="https://kueue.sigs.k8s.io/docs/tasks/run/plain_pods/">Kueue: groups of plain pods</a>
 */
public final class Kueue {
    public static final String QUEUE = "kueue.x-k8s.io/queue-name";

    private static final String GROUP = "kueue.x-k8s.io/pod-group-name";
    private static final String COUNT = "kueue.x-k8s.io/pod-group-total-count";

    private Kueue() {}

    /**
     * Returns the queue of a job that has Kueue's label; without the group labels each pod would be admitted by itself.
     */
    public static Optional<String> labelled(JobPlan plan) {
        return Optional.ofNullable(plan.userLabels().get(QUEUE))
                .filter(queue -> !queue.isEmpty() && !plan.userLabels().containsKey(GROUP));
    }

    public static void join(JobPlan plan, String stem, String queue, ObjectMeta pod) {
        Map<String, String> labels = new TreeMap<>(pod.getLabels());
        labels.put(QUEUE, queue);
        labels.put(GROUP, stem);
        pod.setLabels(labels);
        Map<String, String> annotations = new TreeMap<>(pod.getAnnotations());
        annotations.put(
                COUNT,
                Integer.toString(
                        plan.roles().stream().mapToInt(RolePlan::replicas).sum()));
        pod.setAnnotations(annotations);
    }
}
