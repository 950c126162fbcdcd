package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.plan.RolePlan;
import dev.edl.status.JobEvent;
import dev.edl.status.ReplicaStage;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Every role has as many places as are wanted of it. Ended replicas keep their place, so that only a change of the number
 * wanted adds or removes any.
 *
 * <p>Growing takes the next ids and the lowest free indexes. Shrinking removes replicas that do not run yet first, then those
 * whose machine is about to go, then those with the highest ids; never one that has ended, and never the leader.
 */
final class ScaleRule {
    private ScaleRule() {}

    static void apply(ReconcileContext turn) {
        for (RolePlan role : turn.plan.roles()) {
            int excess = excess(turn, role);
            if (turn.job().pinnedIds().containsKey(role.type())) {
                PinnedReplicasRule.apply(turn, role);
            } else if (excess < 0) {
                grow(turn, role, -excess);
            } else if (excess > 0) {
                shrink(turn, role, excess);
            }
        }
    }

    /** By how many places a role has more than are wanted of it; negative when it has fewer. */
    static int excess(ReconcileContext turn, RolePlan role) {
        return turn.occupiedSlots(role.type()) - wanted(turn, role);
    }

    private static int wanted(ReconcileContext turn, RolePlan role) {
        List<Integer> members = turn.job().pinnedIds().get(role.type());
        if (members != null) {
            return members.size();
        }
        int within = Math.max(turn.desired(role.type()), role.bounds().min());
        return Math.min(within, role.bounds().max());
    }

    static List<ReplicaState> places(ReconcileContext turn, RoleType role) {
        return turn.replicas(role, r -> r.stage().occupiesSlot());
    }

    private static void grow(ReconcileContext turn, RolePlan role, int count) {
        List<ReplicaState> places = places(turn, role.type());
        if (!turn.replicas(role.type(), r -> true).isEmpty()) {
            scaled(turn, role, places.size(), places.size() + count);
        }
        Set<Integer> taken = places.stream().map(ReplicaState::index).collect(Collectors.toSet());
        IntStream.iterate(0, i -> i + 1)
                .filter(index -> !taken.contains(index))
                .limit(count)
                .forEach(index -> add(turn, role, index));
    }

    static void add(ReconcileContext turn, RolePlan role, int index) {
        int id = role.freshIds() ? turn.takeId(role.type()) : index;
        turn.markIdUsed(role.type(), id);
        String name = turn.plan.replicaName(role.type(), id);
        // One that was removed under the same id may be on its way out.
        Optional<ReplicaState> before = Optional.ofNullable(turn.replica(name));
        turn.put(ReplicaState.builder()
                .name(name)
                .uid(before.flatMap(ReplicaState::uid))
                .role(role.type())
                .id(id)
                .index(index)
                .stage(ReplicaStage.WAITING)
                .createdAt(turn.now)
                .build());
    }

    private static void shrink(ReconcileContext turn, RolePlan role, int count) {
        List<ReplicaState> places = places(turn, role.type());
        List<ReplicaState> chosen = places.stream()
                .filter(r -> r.stage().alive() && !turn.leads(r))
                .sorted(Comparator.<ReplicaState, Boolean>comparing(r -> r.stage() == ReplicaStage.RUNNING)
                        .thenComparing(r -> r.drainNotice().isEmpty())
                        .thenComparing(ReplicaState::id, Comparator.reverseOrder()))
                .limit(count)
                .toList();
        if (chosen.isEmpty()) {
            return;
        }
        scaled(turn, role, places.size(), places.size() - chosen.size());
        for (ReplicaState replica : chosen) {
            DeletionRule.remove(turn, replica, "scaled down to " + wanted(turn, role) + ", " + choice(replica));
        }
    }

    private static String choice(ReplicaState replica) {
        if (replica.stage() != ReplicaStage.RUNNING) {
            return "it did not run yet";
        }
        return replica.drainNotice().orElse("the highest id goes first");
    }

    static void scaled(ReconcileContext turn, RolePlan role, int from, int to) {
        turn.event(JobEvent.Type.SCALED, "scaled " + role.type() + " from " + from + " to " + to);
    }
}
