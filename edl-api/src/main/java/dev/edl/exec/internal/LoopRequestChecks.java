package dev.edl.exec.internal;

import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** Checks requests of a caller to a running job, so that an invalid request throws at once. */
public final class LoopRequestChecks {
    private LoopRequestChecks() {}

    /**
     * Returns the plan of a role that may be scaled to a number of replicas.
     *
     * @param word the role's id
     * @throws IllegalArgumentException if the role is unknown or not elastic, or if the number is out of its bounds
     */
    public static RolePlan scalable(JobPlan plan, String word, int replicas) {
        RolePlan role = plan.role(word);
        if (!role.elastic()) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": " + word
                    + " is not elastic; give it bounds when composing the job, for example .elastic(1, 8)");
        }
        if (!role.bounds().contains(replicas)) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": " + word + " can be scaled between "
                    + role.bounds().min() + " and " + role.bounds().max() + ", was " + replicas);
        }
        return role;
    }

    /**
     * Returns the plan of a role whose replicas keep their ids when they are relaunched.
     *
     * @param word the role's id
     * @throws IllegalArgumentException if the role is unknown, or its relaunched replicas get new ids
     */
    public static RolePlan keepingIds(JobPlan plan, String word) {
        RolePlan role = plan.role(word);
        if (role.freshIds()) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": a relaunched " + word
                    + " gets the next id, so that ids cannot be pinned; plan the job with another"
                    + " profile, for example plan(Profile.ET_V1ALPHA1)");
        }
        return role;
    }

    /** Returns the pinned ids of a role; without them, the ids of the replicas that occupy its slots. */
    public static SortedSet<Integer> ids(JobState state, RoleType role) {
        List<Integer> members = state.pinnedIds().get(role);
        return new TreeSet<>(
                members != null
                        ? members
                        : state.replicas().values().stream()
                                .filter(r -> r.role() == role && r.stage().occupiesSlot())
                                .map(ReplicaState::id)
                                .toList());
    }

    /**
     * Returns the full name of a replica.
     *
     * @param word the replica's short name, such as {@code worker-0} or {@code master}, or its full name
     * @param there the full names of the existing replicas, by their short names
     * @throws IllegalArgumentException if no such replica exists
     */
    public static String replica(JobPlan plan, String word, SortedMap<String, String> there) {
        if (there.containsValue(word)) {
            return word;
        }
        String full = there.get(word);
        if (full == null) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\" has no replica \"" + word + "\""
                    + SpellingSuggestion.to(word, there.keySet())
                            .map(n -> "; the nearest is \"" + n + "\"")
                            .orElseGet(() -> there.isEmpty()
                                    ? "; it has no replicas now"
                                    : "; a valid one is \"" + there.firstKey() + "\""));
        }
        return full;
    }
}
