package dev.edl.reconcile;

import dev.edl.plan.RolePlan;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.util.Optional;

/**
 * Suspends and resumes a job on request. Suspending deletes all running and pending replicas, with their grace period.
 * Their successors wait until the job is resumed, under the ids that a relaunch would give them. These relaunches do
 * not count against the relaunch limit. The deadline restarts when the job is resumed, as for a suspended Job of
 * Kubernetes.
 */
final class SuspendRule {
    static final String WHY = "the job is suspended";

    private SuspendRule() {}

    static void apply(ReconcileContext context) {
        boolean wanted = context.job().suspendRequested();
        if (context.ended() || wanted == context.suspended()) {
            return;
        }
        if (wanted) {
            suspend(context);
        } else {
            resume(context);
        }
    }

    private static void suspend(ReconcileContext context) {
        context.job(ImmutableJobState.copyOf(context.job())
                .withPhase(JobPhase.SUSPENDED)
                .withMessage("suspended on request"));
        context.event(JobEvent.Type.JOB_SUSPENDED, "job " + context.plan.name() + " is suspended");
        for (ReplicaState replica : context.replicas()) {
            if (replica.stage() == ReplicaStage.PENDING || replica.stage() == ReplicaStage.RUNNING) {
                stop(context, replica);
            }
        }
    }

    private static void stop(ReconcileContext context, ReplicaState replica) {
        RolePlan role = context.role(replica);
        ReplicaState.Builder next = ReplicaState.builder()
                .role(replica.role())
                .index(replica.index())
                .stage(ReplicaStage.WAITING)
                .relaunchesUsed(replica.relaunchesUsed());
        if (role.freshIds()) {
            DeletionRule.remove(context, replica, WHY);
            int id = context.takeId(replica.role());
            context.put(next.id(id)
                    .name(context.plan.replicaName(replica.role(), id))
                    .createdAt(context.now)
                    .build());
        } else {
            context.event(JobEvent.Type.REPLICA_DELETED, replica, "removed " + replica.name() + ": " + WHY);
            context.put(next.id(replica.id())
                    .name(replica.name())
                    .uid(replica.uid())
                    .restarts(replica.restarts() + 1)
                    .createdAt(replica.createdAt())
                    .build());
        }
    }

    private static void resume(ReconcileContext context) {
        context.job(ImmutableJobState.copyOf(context.job())
                .withPhase(JobPhase.PENDING)
                .withMessage("")
                .withResumedAt(Optional.of(context.now)));
        context.event(JobEvent.Type.JOB_RESUMED, "job " + context.plan.name() + " is resumed");
    }
}
