package dev.edl.reconcile;

import dev.edl.plan.RolePlan;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.util.Optional;

/**
 * A job that is to be suspended has nothing that runs: its replicas go, with their grace, and others wait in their places,
 * under the ids that a relaunch would give them, spending nothing of any limit. They are created when it is resumed; from then
 * on its deadline counts anew, as that of a suspended Job of Kubernetes does.
 */
final class SuspendRule {
    static final String WHY = "the job is suspended";

    private SuspendRule() {}

    static void apply(ReconcileContext turn) {
        boolean wanted = turn.job().suspendRequested();
        if (turn.ended() || wanted == turn.suspended()) {
            return;
        }
        if (wanted) {
            suspend(turn);
        } else {
            resume(turn);
        }
    }

    private static void suspend(ReconcileContext turn) {
        turn.job(ImmutableJobState.copyOf(turn.job())
                .withPhase(JobPhase.SUSPENDED)
                .withMessage("suspended on request"));
        turn.event(JobEvent.Type.JOB_SUSPENDED, "job " + turn.plan.name() + " is suspended");
        for (ReplicaState replica : turn.replicas()) {
            if (replica.stage() == ReplicaStage.PENDING || replica.stage() == ReplicaStage.RUNNING) {
                stop(turn, replica);
            }
        }
    }

    private static void stop(ReconcileContext turn, ReplicaState replica) {
        RolePlan role = turn.role(replica);
        ReplicaState.Builder next = ReplicaState.builder()
                .role(replica.role())
                .index(replica.index())
                .stage(ReplicaStage.WAITING)
                .relaunchesUsed(replica.relaunchesUsed());
        if (role.freshIds()) {
            DeletionRule.remove(turn, replica, WHY);
            int id = turn.takeId(replica.role());
            turn.put(next.id(id)
                    .name(turn.plan.replicaName(replica.role(), id))
                    .createdAt(turn.now)
                    .build());
        } else {
            turn.event(JobEvent.Type.REPLICA_DELETED, replica, "removed " + replica.name() + ": " + WHY);
            turn.put(next.id(replica.id())
                    .name(replica.name())
                    .uid(replica.uid())
                    .restarts(replica.restarts() + 1)
                    .createdAt(replica.createdAt())
                    .build());
        }
    }

    private static void resume(ReconcileContext turn) {
        turn.job(ImmutableJobState.copyOf(turn.job())
                .withPhase(JobPhase.PENDING)
                .withMessage("")
                .withResumedAt(Optional.of(turn.now)));
        turn.event(JobEvent.Type.JOB_RESUMED, "job " + turn.plan.name() + " is resumed");
    }
}
