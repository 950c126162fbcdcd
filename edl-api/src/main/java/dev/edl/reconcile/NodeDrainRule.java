package dev.edl.reconcile;

import dev.edl.internal.text.DurationText;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleType;
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
 * Deletes workers on a node that is about to be drained, before the node evicts them. Each worker gets its grace period
 * and then a successor, as after any deletion. The relaunch does not count against the relaunch limit. The successor
 * starts on another node, since the noticed node accepts no new replicas.
 *
 * <p>The workers of one node are deleted together. Those of the next node follow when all successors run, or after
 * {@link #PATIENCE}. The number of running workers does not fall below the role's elastic minimum. A role at or below
 * its minimum loses one worker at a time. A worker that does not run yet is deleted at once, since no progress is lost.
 *
 * <p>Replicas of other roles stay until the node evicts them: losing a parameter server or the leader costs the same
 * early or late, and the node may be kept after all. Workers whose restart policy is NEVER stay for the same reason.
 */
final class NodeDrainRule {
    /**
     * Time after which the workers of the next node are deleted even if successors from the last node do not run yet.
     * It is a quarter of AWS's two-minute notice.
     */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private NodeDrainRule() {}

    /** A replica whose node has a notice. */
    private record DrainingReplica(ReplicaState replica, NodeNotice notice) {}

    static void apply(ReconcileContext context) {
        List<ObservedReplica> noticed = context.noticed();
        if (noticed.isEmpty()) {
            return;
        }
        for (RolePlan role : context.plan.roles()) {
            List<DrainingReplica> there = of(context, role.type(), noticed);
            if (role.type() != RoleType.WORKER) {
                there.forEach(one -> stays(context, one, "only workers leave before an eviction"));
            } else if (role.restart() == RestartPolicy.NEVER) {
                there.forEach(one -> stays(context, one, "its restart policy is NEVER, so it has no successor"));
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
                // The first request may have been lost.
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
                stays(
                        context,
                        one,
                        "it leaves when the workers before it run elsewhere, or after " + DurationText.of(PATIENCE));
            } else if (spare > 0) {
                spare--;
                leave(context, one);
            } else {
                stays(context, one, "it leaves when others run, since " + least(context, role) + " must run");
            }
        }
    }

    /**
     * Returns the time of this rule's last deletion of a replica whose successor does not run yet; empty if all
     * successors run.
     */
    private static Optional<Instant> moving(ReconcileContext context, RoleType role) {
        return context.replicas(role, r -> r.stage().alive() && r.drainedAt().isPresent()).stream()
                .map(r -> r.drainedAt().orElseThrow())
                .max(Comparator.naturalOrder());
    }

    /** Returns the number of further running workers that may be deleted now; none if not positive. */
    private static int spare(ReconcileContext context, RolePlan role) {
        int running = context.replicas(
                        role.type(),
                        r -> r.stage() == ReplicaStage.RUNNING && r.drainedAt().isEmpty())
                .size();
        return running - least(context, role);
    }

    /**
     * Returns the number of workers that must keep running: the role's minimum, or one fewer than all workers that have
     * not ended, whichever is less.
     */
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

    /** Leaves a replica on its node, and emits an event unless this notice was reported before. */
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
