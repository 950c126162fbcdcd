package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;

/** A job runs once its leader does; one that only workers lead, once any of them does. It is never pending again. */
final class StartRule {
    private StartRule() {}

    static void apply(ReconcileContext context) {
        if (context.job().phase() != JobPhase.PENDING) {
            return;
        }
        RoleType leader = context.plan.leader().type();
        // One that was quick may never have been seen while it ran.
        if (context.count(leader, ReplicaStage.RUNNING) + context.count(leader, ReplicaStage.SUCCEEDED) > 0) {
            context.job(ImmutableJobState.copyOf(context.job()).withPhase(JobPhase.RUNNING));
            context.event(JobEvent.Type.JOB_RUNNING, "job " + context.plan.name() + " is running");
        }
    }
}
