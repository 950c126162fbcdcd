package dev.edl.k8s.internal.pods;

import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Slot of a role: an index that a replica and its relaunched successors take one after another.
 *
 * @param role the role
 * @param index index of the slot, from 0
 */
public record ReplicaSlot(RoleType role, int index) {
    /**
     * Returns the slot of a role by its index.
     *
     * @throws IllegalArgumentException when the job has no such role, or the role never so many replicas
     */
    public static ReplicaSlot of(JobPlan plan, String word, int index) {
        RolePlan role = plan.role(word);
        if (index < 0 || index >= role.bounds().max()) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": the index of a " + word
                    + " must be from 0 to " + (role.bounds().max() - 1) + ", was " + index);
        }
        return new ReplicaSlot(role.type(), index);
    }

    /**
     * Returns the slot that a replica has or had, by its short or full name.
     *
     * @throws IllegalArgumentException when no replica has the name
     */
    public static ReplicaSlot of(JobPlan plan, JobState state, String replica) {
        List<String> names = new ArrayList<>();
        for (ReplicaState known : state.replicas().values()) {
            String brief = known.role().replica(known.id());
            if (known.name().equals(replica) || brief.equals(replica)) {
                return new ReplicaSlot(known.role(), known.index());
            }
            names.add(brief);
        }
        for (RolePlan role : plan.roles()) {
            // An initial replica's slot equals its id, also before its pod exists and after its pod is deleted.
            for (int id = 0; id < role.replicas(); id++) {
                String brief = role.type().replica(id);
                if (brief.equals(replica) || plan.replicaName(role.type(), id).equals(replica)) {
                    return new ReplicaSlot(role.type(), id);
                }
                names.add(brief);
            }
        }
        throw new IllegalArgumentException("job \"" + plan.name() + "\" has no replica \"" + replica + "\""
                + SpellingSuggestion.to(replica, names)
                        .map(near -> "; the nearest is \"" + near + "\"")
                        .orElseGet(() -> "; a valid one is \"" + names.get(0) + "\""));
    }

    /** Returns the state of the replica of this slot whose pod has this name; empty if there is none. */
    public Optional<ReplicaState> of(JobState state, String pod) {
        return Optional.ofNullable(state.replicas().get(pod))
                .filter(known -> known.role() == role && known.index() == index);
    }
}
