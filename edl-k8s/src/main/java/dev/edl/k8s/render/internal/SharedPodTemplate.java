package dev.edl.k8s.render.internal;

import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Priority;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Shared template for all replicas of a role. Where they differ only by their index, it has
 * {@code $(JOB_COMPLETION_INDEX)}, which an indexed Job sets in each pod. A role of 5,000 replicas is then one object.
 *
 * <p>An environment is a function of the index. For EDL's own rules it compares four replicas: the first two, one in
 * the middle and the last possible one. For a user's rule it compares all. A number that equals the index in all of
 * them counts as the index.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode">Kubernetes: indexed
 *     Jobs</a>
 */
public final class SharedPodTemplate {
    /** Annotation and label (since Kubernetes 1.28) of each pod of an indexed Job. */
    public static final String INDEX_KEY = "batch.kubernetes.io/job-completion-index";

    private SharedPodTemplate() {}

    /** Returns the shared identity; empty when the replicas differ in more than their index, or there is only one. */
    public static Optional<ReplicaIdentity> of(JobPlan plan, RolePlan role) {
        String first = plan.replicaName(role.type(), 0);
        if (role.bounds().max() == 1 || !first.endsWith("-0") || !samePriority(role)) {
            return Optional.empty();
        }
        List<ReplicaPlan> samples = samples(plan, role);
        Map<String, String> labels = new TreeMap<>(samples.get(0).labels());
        samples.forEach(sample -> labels.entrySet().retainAll(sample.labels().entrySet()));
        return env(samples)
                .map(env -> new ReplicaIdentity(
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
        IntStream indexes =
                plan.followsIndex() ? IntStream.of(0, 1, count / 2, count - 1).distinct() : IntStream.range(0, count);
        return indexes.mapToObj(index -> plan.replica(role.type(), index, index))
                .toList();
    }

    /**
     * Returns, as text for messages, how the replicas differ beyond their index; empty when they can share a template.
     */
    public static Optional<String> difference(JobPlan plan, RolePlan role) {
        if (!samePriority(role)) {
            return role.template().priority().map(priority -> "the priority " + priority);
        }
        List<ReplicaPlan> samples = samples(plan, role);
        return names(samples).stream()
                .filter(name -> text(samples, name).isEmpty())
                .findFirst();
    }

    private static SortedSet<String> names(List<ReplicaPlan> samples) {
        SortedSet<String> names = new TreeSet<>();
        samples.forEach(sample -> names.addAll(sample.env().keySet()));
        return names;
    }

    /**
     * Returns the shared value of a variable; empty when a replica lacks it, or its value does not depend on the index.
     */
    private static Optional<String> text(List<ReplicaPlan> samples, String name) {
        if (name.equals(IndexPattern.INDEX)
                || samples.stream().anyMatch(sample -> !sample.env().containsKey(name))) {
            return Optional.empty();
        }
        return IndexPattern.of(
                samples.stream()
                        .map(sample -> sample.env().getOrDefault(name, ""))
                        .toList(),
                samples.stream().map(ReplicaPlan::index).toList());
    }

    private static Optional<List<EnvVar>> env(List<ReplicaPlan> samples) {
        List<EnvVar> env = new ArrayList<>();
        boolean indexed = false;
        for (String name : names(samples)) {
            Optional<String> text = text(samples, name);
            if (text.isEmpty()) {
                return Optional.empty();
            }
            indexed |= !text.get().equals(DollarEscape.of(samples.get(0).env().getOrDefault(name, "")));
            env.add(ReplicaIdentity.variable(name, text.get()));
        }
        if (indexed) {
            env.add(0, index());
        }
        return Optional.of(env);
    }

    /**
     * Returns the variable with the index. It must be the first one, because Kubernetes expands a reference only to
     * variables before it.
     */
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
