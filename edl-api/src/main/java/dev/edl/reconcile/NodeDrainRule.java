package dev.edl.reconcile;

import dev.edl.RestartPolicy;
import dev.edl.RoleType;
import dev.edl.plan.RolePlan;
import dev.edl.status.JobEvent;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Workers leave a machine that is about to go before they are taken from it: each is deleted with its grace, and then has a
 * successor as after any deletion, which spends nothing of a limit and starts elsewhere, since the machine takes no new ones.
 *
 * <p>Those of one machine leave at a time; those of the next one once all successors run, or after {@link #PATIENCE}. And never
 * so many that fewer would run than the role's elastic minimum; of a role that has no more than that, one at a time. A worker
 * that does not run yet leaves at once, as nothing is lost with it.
 *
 * <p>Other roles stay until they are taken away: to lose a parameter server or the leader early costs the whole job the same as
 * to lose it late, and the machine may be given back. So do workers that would have no successor.
 */
final class NodeDrainRule {
    /** A quarter of the two minutes that AWS gives: with the successors of a machine still waiting, the next one's turn comes. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private NodeDrainRule() {}

    /** A replica whose machine is about to go. */
    private record DrainingReplica(ReplicaState replica, NodeNotice notice) {}

    static void apply(ReconcileContext context) {
        List<ObservedReplica> noticed = context.noticed();
        if (noticed.isEmpty()) {
            return;
        }
        for (RolePlan role : context.plan.roles()) {
            List<DrainingReplica> there = of(context, role.type(), noticed);
            if (role.type() != RoleType.WORKER) {
                there.forEach(one -> stays(context, one, "only workers leave before they are evicted"));
            } else if (role.restart() == RestartPolicy.NEVER) {
                there.forEach(one -> stays(context, one, "its restart policy NEVER gives it no successor"));
            } else if (!there.isEmpty()) {
                workers(context, role, there);
            }
        }
    }

    private static List<DrainingReplica> of(ReconcileContext context, RoleType role, List<ObservedReplica> noticed) {
        List<DrainingReplica> found = new ArrayList<>();
        for (ObservedReplica seen : noticed) {
            ReplicaState replica = context.replica(seen.name());
            if (replica != null && replica.role() == role && there(replica, seen) && !seen.terminating()) {
                found.add(new DrainingReplica(replica, seen.notice().orElseThrow()));
            }
        }
        return found;
    }

    private static boolean there(ReplicaState replica, ObservedReplica seen) {
        boolean alive = replica.stage() == ReplicaStage.PENDING || replica.stage() == ReplicaStage.RUNNING;
        return alive && !replica.isOtherObject(seen);
    }

    private static void workers(ReconcileContext context, RolePlan role, List<DrainingReplica> there) {
        Set<String> nodes = new HashSet<>();
        List<DrainingReplica> waiting = new ArrayList<>();
        for (DrainingReplica one : there) {
            if (one.replica().isDraining()) {
                nodes.add(one.notice().node());
                // What it was told may not have arrived.
                DeletionRule.ask(context, one.replica(), one.notice().toString());
            } else if (one.replica().stage() == ReplicaStage.PENDING) {
                leave(context, one);
            } else {
                waiting.add(one);
            }
        }
        if (waiting.isEmpty()) {
            return;
        }
        waiting.sort(Comparator.<DrainingReplica, Boolean>comparing(one -> context.leads(one.replica()))
                .thenComparing(one -> one.replica().id()));
        Optional<Instant> others = moving(context, role.type()).map(since -> since.plus(PATIENCE));
        if (others.filter(end -> end.isAfter(context.now)).isPresent()) {
            context.wakeAt(others.get());
        } else {
            nodes.clear();
            nodes.add(waiting.get(0).notice().node());
        }
        int spare = spare(context, role);
        for (DrainingReplica one : waiting) {
            if (!nodes.contains(one.notice().node())) {
                stays(context, one, "it leaves once those before it run elsewhere, or after " + PATIENCE);
            } else if (spare > 0) {
                spare--;
                leave(context, one);
            } else {
                stays(context, one, "it leaves once others run, as " + least(context, role) + " have to");
            }
        }
    }

    /** Since when the latest of those that left has no successor that runs; empty when all have. */
    private static Optional<Instant> moving(ReconcileContext context, RoleType role) {
        return context.replicas(role, r -> r.stage().alive() && r.drainedAt().isPresent()).stream()
                .map(r -> r.drainedAt().orElseThrow())
                .max(Comparator.naturalOrder());
    }

    /** How many workers more may leave now. */
    private static int spare(ReconcileContext context, RolePlan role) {
        int running = context.replicas(
                        role.type(),
                        r -> r.stage() == ReplicaStage.RUNNING && r.drainedAt().isEmpty())
                .size();
        return running - least(context, role);
    }

    /** How many have to run: where all of them had to, none could ever leave. */
    private static int least(ReconcileContext context, RolePlan role) {
        int alive = context.replicas(role.type(), r -> r.stage().alive()).size();
        return Math.min(role.bounds().min(), alive - 1);
    }

    private static void leave(ReconcileContext context, DrainingReplica one) {
        String why = one.notice().toString();
        context.put(ImmutableReplicaState.copyOf(one.replica())
                .withDrainNotice(why)
                .withDrainedAt(context.now)
                .withRequestedAt(context.now));
        context.delete(one.replica().name(), why);
        context.wakeAt(context.now.plus(ReconcileContext.ASK_AGAIN));
        context.event(
                JobEvent.Type.NODE_NOTICE,
                one.replica(),
                why + ": " + one.replica().name() + " is deleted, and another "
                        + one.replica().role() + " takes its place");
    }

    /** Told once of each notice. */
    private static void stays(ReconcileContext context, DrainingReplica one, String why) {
        Optional<String> notice = Optional.of(one.notice().toString());
        if (!one.replica().drainNotice().equals(notice)) {
            context.put(ImmutableReplicaState.copyOf(one.replica()).withDrainNotice(notice));
            context.event(
                    JobEvent.Type.NODE_NOTICE,
                    one.replica(),
                    one.notice() + ": " + one.replica().name() + " stays for now, " + why);
        }
    }
}
