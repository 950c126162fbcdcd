package dev.edl.reconcile;

import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;

/**
 * Changes a job's phase from PENDING to RUNNING once its leader runs; without a leader role, once any worker runs. Only
 * a resumed job becomes PENDING again.
 */
final class StartRule {
    private StartRule() {}

    static void apply(ReconcileContext context) {
        if (context.job().phase() != JobPhase.PENDING) {
            return;
        }
        RoleType leader = context.plan.leader().type();
        // A replica that ended quickly may never have been observed as running.
        if (context.count(leader, ReplicaStage.RUNNING) + context.count(leader, ReplicaStage.SUCCEEDED) > 0) {
            context.job(ImmutableJobState.copyOf(context.job()).withPhase(JobPhase.RUNNING));
            context.event(JobEvent.Type.JOB_RUNNING, "job " + context.plan.name() + " is running");
        }
    }
}
