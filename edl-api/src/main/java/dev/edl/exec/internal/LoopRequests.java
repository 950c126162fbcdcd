package dev.edl.exec.internal;

import dev.edl.RoleType;
import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** Checks requests to a running job, so that an invalid one throws at once. */
public final class LoopRequests {
    private LoopRequests() {}

    /** Returns the role if it may be scaled to the number. */
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

    /** Returns the role if its replicas keep their ids when they are relaunched. */
    public static RolePlan keepingIds(JobPlan plan, String word) {
        RolePlan role = plan.role(word);
        if (role.freshIds()) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": a relaunched " + word
                    + " gets the next id, so that ids cannot be pinned; plan the job with another"
                    + " profile, for example plan(Profile.ET_V1ALPHA1)");
        }
        return role;
    }

    /** Returns the current ids of a role. */
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
     * Returns the full name of a replica, from {@code worker-0}, {@code master} or the full name.
     *
     * @param there the full names of the existing replicas, by the short ones
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
