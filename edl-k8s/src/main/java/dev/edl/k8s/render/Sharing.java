package dev.edl.k8s.render;

import dev.edl.Priority;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * One template for all replicas of a role: where they differ by nothing but their index, it stands as
 * {@code $(JOB_COMPLETION_INDEX)}, which an indexed Job gives each pod. So a role of 5,000 replicas is one object.
 *
 * <p>An environment is a function of the index; four replicas are compared: the first two, one in the middle and the
 * last that the role may have. A number that is the index in all of them is taken for the index.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode">Kubernetes: indexed
 *     Jobs</a>
 */
final class Sharing {
    /** Annotation and label (since Kubernetes 1.28) of each pod of an indexed Job. */
    static final String INDEX_KEY = "batch.kubernetes.io/job-completion-index";

    private Sharing() {}

    /** What the replicas have in common; empty when they differ by more than their index, or there is but one. */
    static Optional<Identity> of(JobPlan plan, RolePlan role) {
        String first = plan.replicaName(role.type(), 0);
        if (role.bounds().max() == 1 || !first.endsWith("-0") || !samePriority(role)) {
            return Optional.empty();
        }
        List<ReplicaPlan> samples = samples(plan, role);
        Map<String, String> labels = new TreeMap<>(samples.get(0).labels());
        samples.forEach(sample -> labels.entrySet().retainAll(sample.labels().entrySet()));
        return env(samples)
                .map(env -> new Identity(
                        first.substring(0, first.length() - 2),
                        role,
                        "$(" + IndexPattern.INDEX + ")",
                        labels,
                        samples.get(0).priorityClass(),
                        env));
    }

    private static boolean samePriority(RolePlan role) {
        return role.template()
                        .priority()
                        .filter(Priority::isFraction)
                        .map(priority -> IntStream.range(0, role.bounds().max())
                                .mapToObj(index -> priority.classFor(index, role.replicas()))
                                .distinct()
                                .count())
                        .orElse(1L)
                == 1;
    }

    private static List<ReplicaPlan> samples(JobPlan plan, RolePlan role) {
        int count = role.bounds().max();
        return List.copyOf(new TreeSet<>(List.of(0, 1, count / 2, count - 1))).stream()
                .map(index -> plan.replica(role.type(), index, index))
                .toList();
    }

    private static Optional<List<EnvVar>> env(List<ReplicaPlan> samples) {
        List<Integer> indexes = samples.stream().map(ReplicaPlan::index).toList();
        List<EnvVar> env = new ArrayList<>();
        boolean indexed = false;
        for (String name : samples.get(0).env().keySet()) {
            List<String> values = samples.stream()
                    .map(sample -> sample.env().getOrDefault(name, ""))
                    .toList();
            Optional<String> text = IndexPattern.of(values, indexes);
            if (text.isEmpty() || name.equals(IndexPattern.INDEX)) {
                return Optional.empty();
            }
            indexed |= !text.get().equals(Literal.of(values.get(0)));
            env.add(Identity.variable(name, text.get()));
        }
        if (indexed) {
            env.add(0, index());
        }
        return Optional.of(env);
    }

    /** First of all, as Kubernetes replaces a name only by what stands before it. */
    private static EnvVar index() {
        return new EnvVarBuilder()
                .withName(IndexPattern.INDEX)
                .withNewValueFrom()
                .withNewFieldRef()
                .withFieldPath("metadata.annotations['" + INDEX_KEY + "']")
                .endFieldRef()
                .endValueFrom()
                .build();
    }
}
