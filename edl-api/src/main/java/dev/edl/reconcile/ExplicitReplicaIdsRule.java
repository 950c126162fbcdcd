package dev.edl.reconcile;

import dev.edl.plan.RolePlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Creates missing replicas of a role with {@link JobState#pinnedIds}, and removes all others except the leader.
 * External scalers need this rule: they choose by name which replicas to add and remove, and change the list of hosts
 * first.
 */
final class ExplicitReplicaIdsRule {
    private ExplicitReplicaIdsRule() {}

    static void apply(ReconcileContext context, RolePlan role) {
        Set<Integer> wanted = new LinkedHashSet<>(context.job().pinnedIds().getOrDefault(role.type(), List.of()));
        List<ReplicaState> places = ScaleRule.places(context, role.type());
        List<ReplicaState> others = places.stream()
                .filter(replica -> !wanted.contains(replica.id()) && !context.leads(replica))
                .toList();
        Set<Integer> there = new HashSet<>();
        places.forEach(replica -> there.add(replica.id()));
        List<Integer> missing = new ArrayList<>(wanted);
        missing.removeAll(there);
        if (others.isEmpty() && missing.isEmpty()) {
            return;
        }
        if (!context.replicas(role.type(), replica -> true).isEmpty()) {
            ScaleRule.scaled(context, role, places.size(), places.size() + missing.size() - others.size());
        }
        others.forEach(replica -> DeletionRule.remove(context, replica, "scaled in"));
        // If the old object of the same id is still terminating, the new replica waits until it is gone.
        missing.forEach(id -> ScaleRule.add(context, role, id));
    }
}
