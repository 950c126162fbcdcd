package dev.edl.k8s.render.internal;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Labels and annotations by which Kueue admits a job's pods.
 *
 * <p>Kueue deletes each pod above the fixed number of its group, so the group has only the pods that a job always has:
 * all pods of roles that do not scale, and the smallest number of a role that does. Each further pod is admitted by
 * itself. A launcher is created when its workers run, so it is in no group, which would wait for all its pods.
 *
 * @see <a href="https://kueue.sigs.k8s.io/docs/tasks/run/plain_pods/">Kueue: groups of plain pods</a>
 */
public final class KueueMetadata {
    public static final String API = "kueue.x-k8s.io";
    public static final String QUEUE = "kueue.x-k8s.io/queue-name";
    public static final String GROUP = "kueue.x-k8s.io/pod-group-name";

    public static final String REQUIRED_TOPOLOGY = "kueue.x-k8s.io/podset-required-topology";
    public static final String PREFERRED_TOPOLOGY = "kueue.x-k8s.io/podset-preferred-topology";

    /** Name of the pods of a group that Kueue places alike; by default a hash of what they request. */
    private static final String ROLE = "kueue.x-k8s.io/role-hash";

    private static final String COUNT = "kueue.x-k8s.io/pod-group-total-count";

    /** Maximum length of a label's value. */
    private static final int LONGEST = 63;

    private static final int SUFFIX = 8;

    private KueueMetadata() {}

    /**
     * Gives the group of a pod a name of its submission. Otherwise a job could join the group of an earlier job of its
     * name, which has ended: Kueue admits no further pod of it.
     *
     * @param uid uid of the submission's record
     */
    public static void separate(ObjectMeta pod, String uid) {
        String stem = pod.getLabels().get(GROUP);
        if (stem != null) {
            String suffix = "-" + uid.substring(0, Math.min(SUFFIX, uid.length()));
            Map<String, String> labels = new TreeMap<>(pod.getLabels());
            labels.put(GROUP, stem.substring(0, Math.min(LONGEST - suffix.length(), stem.length())) + suffix);
            pod.setLabels(labels);
        }
    }

    /** Returns the queue of a job that has Kueue's label, unless its labels have a group, too. */
    public static Optional<String> labelled(JobPlan plan) {
        return Optional.ofNullable(plan.userLabels().get(QUEUE))
                .filter(queue -> !queue.isEmpty() && !plan.userLabels().containsKey(GROUP));
    }

    /**
     * Returns the number of a role's pods that are in the job's group: those of its first indexes.
     *
     * @return 0 when no pod of the role is, or the job has no group, since a single pod needs none
     */
    public static int members(JobPlan plan, RolePlan role) {
        return total(plan) < 2 ? 0 : least(plan, role);
    }

    /**
     * Returns whether pods of the job are in a group.
     *
     * @param pods returns a pod of a role
     */
    public static boolean hasGroup(JobPlan plan, Function<RoleType, PodTemplateSpec> pods) {
        return !plan.userLabels().containsKey(GROUP)
                && plan.roles().stream()
                        .filter(role -> members(plan, role) > 0)
                        .anyMatch(role -> pods.apply(role.type())
                                .getMetadata()
                                .getLabels()
                                .containsKey(GROUP));
    }

    private static int least(JobPlan plan, RolePlan role) {
        if (plan.startsAfter(role.type()).isPresent()) {
            return 0;
        }
        return role.elastic() ? role.bounds().min() : role.replicas();
    }

    private static int total(JobPlan plan) {
        return plan.roles().stream().mapToInt(role -> least(plan, role)).sum();
    }

    /**
     * Adds the labels of a queue to a pod, if the options or the job's labels name one.
     *
     * @param stem name of the group
     * @param queue queue of the options
     * @param index index of the replica in its role
     */
    public static void join(
            JobPlan plan, String stem, Optional<String> queue, RolePlan role, int index, ObjectMeta pod) {
        queue.or(() -> labelled(plan)).ifPresent(name -> {
            Map<String, String> labels = new TreeMap<>(pod.getLabels());
            labels.put(QUEUE, name);
            if (index < members(plan, role)) {
                labels.put(GROUP, stem);
                Map<String, String> annotations = new TreeMap<>(pod.getAnnotations());
                annotations.put(COUNT, Integer.toString(total(plan)));
                // Roles of the same requests and ports have one hash, and Kueue reads the topology from one pod of a
                // hash.
                if (annotations.containsKey(REQUIRED_TOPOLOGY) || annotations.containsKey(PREFERRED_TOPOLOGY)) {
                    annotations.put(ROLE, role.type().id());
                }
                pod.setAnnotations(annotations);
            }
            pod.setLabels(labels);
        });
    }
}
