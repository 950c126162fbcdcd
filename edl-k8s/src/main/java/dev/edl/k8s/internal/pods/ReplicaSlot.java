package dev.edl.k8s.internal.pods;

import dev.edl.RoleType;
import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A place in a role, and so the replicas that take it one after the other: those which are relaunched for each other.
 *
 * @param role the role
 * @param index the place in it
 */
public record ReplicaSlot(RoleType role, int index) {
    /**
     * The place of a role by its number.
     *
     * @throws IllegalArgumentException when the job has no such role, or the role never so many replicas
     */
    public static ReplicaSlot of(JobPlan plan, String word, int index) {
        RolePlan role = plan.role(word);
        if (index < 0 || index >= role.bounds().max()) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": the index of a " + word
                    + " lies between 0 and " + (role.bounds().max() - 1) + ", was " + index);
        }
        return new ReplicaSlot(role.type(), index);
    }

    /**
     * The place that a replica has, or had, by its short or full name.
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
            // Those of the start have their place by their number, also before they are there and after they are gone.
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

    /** The replica of this place that a state knows by its pod's name. */
    public Optional<ReplicaState> of(JobState state, String pod) {
        return Optional.ofNullable(state.replicas().get(pod))
                .filter(known -> known.role() == role && known.index() == index);
    }
}
