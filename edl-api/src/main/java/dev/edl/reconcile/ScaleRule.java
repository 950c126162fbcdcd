package dev.edl.reconcile;

import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.ReplicaStage;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Adjusts the number of occupied slots of each role to the desired number of replicas, within the role's bounds.
 * Succeeded and failed replicas still occupy their slots, so only a change of the desired number adds or removes
 * replicas.
 *
 * <p>Scaling up takes the lowest free indexes. New ids are the next unused ones if {@link RolePlan#freshIds} is true
 * for the role, otherwise equal to the indexes. Scaling down first removes replicas that do not run yet, then those on
 * a node with a notice, then the others, each by descending id. It never removes an ended replica or the leader.
 */
final class ScaleRule {
    private ScaleRule() {}

    static void apply(ReconcileContext context) {
        for (RolePlan role : context.plan.roles()) {
            int excess = excess(context, role);
            if (context.job().pinnedIds().containsKey(role.type())) {
                ExplicitReplicaIdsRule.apply(context, role);
            } else if (excess < 0) {
                grow(context, role, -excess);
            } else if (excess > 0) {
                shrink(context, role, excess);
            }
        }
    }

    /**
     * Returns the number of occupied slots minus the desired number of replicas within the role's bounds; negative if
     * replicas are missing.
     */
    static int excess(ReconcileContext context, RolePlan role) {
        return context.occupiedSlots(role.type()) - wanted(context, role);
    }

    private static int wanted(ReconcileContext context, RolePlan role) {
        List<Integer> members = context.job().pinnedIds().get(role.type());
        if (members != null) {
            return members.size();
        }
        int within = Math.max(context.desired(role.type()), role.bounds().min());
        return Math.min(within, role.bounds().max());
    }

    static List<ReplicaState> places(ReconcileContext context, RoleType role) {
        return context.replicas(role, r -> r.stage().occupiesSlot());
    }

    private static void grow(ReconcileContext context, RolePlan role, int count) {
        List<ReplicaState> places = places(context, role.type());
        if (!context.replicas(role.type(), r -> true).isEmpty()) {
            scaled(context, role, places.size(), places.size() + count);
        }
        Set<Integer> taken = places.stream().map(ReplicaState::index).collect(Collectors.toSet());
        IntStream.iterate(0, i -> i + 1)
                .filter(index -> !taken.contains(index))
                .limit(count)
                .forEach(index -> add(context, role, index));
    }

    static void add(ReconcileContext context, RolePlan role, int index) {
        int id = role.freshIds() ? context.takeId(role.type()) : index;
        context.markIdUsed(role.type(), id);
        String name = context.plan.replicaName(role.type(), id);
        // The old object of a replica that was removed under the same id may still be terminating.
        Optional<ReplicaState> before = Optional.ofNullable(context.replica(name));
        context.put(ReplicaState.builder()
                .name(name)
                .uid(before.flatMap(ReplicaState::uid))
                .role(role.type())
                .id(id)
                .index(index)
                .stage(ReplicaStage.WAITING)
                .createdAt(context.now)
                .build());
    }

    private static void shrink(ReconcileContext context, RolePlan role, int count) {
        List<ReplicaState> places = places(context, role.type());
        List<ReplicaState> chosen = places.stream()
                .filter(r -> r.stage().alive() && !context.leads(r))
                .sorted(Comparator.<ReplicaState, Boolean>comparing(r -> r.stage() == ReplicaStage.RUNNING)
                        .thenComparing(r -> r.drainNotice().isEmpty())
                        .thenComparing(ReplicaState::id, Comparator.reverseOrder()))
                .limit(count)
                .toList();
        if (chosen.isEmpty()) {
            return;
        }
        scaled(context, role, places.size(), places.size() - chosen.size());
        for (ReplicaState replica : chosen) {
            DeletionRule.remove(context, replica, "scaled down to " + wanted(context, role) + ", " + choice(replica));
        }
    }

    private static String choice(ReplicaState replica) {
        if (replica.stage() != ReplicaStage.RUNNING) {
            return "it did not run yet";
        }
        return replica.drainNotice().orElse("the highest id goes first");
    }

    static void scaled(ReconcileContext context, RolePlan role, int from, int to) {
        context.event(JobEvent.Type.SCALED, "scaled " + role.type() + " from " + from + " to " + to);
    }
}
