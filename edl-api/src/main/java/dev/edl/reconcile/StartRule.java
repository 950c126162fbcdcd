package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;

/** A job runs once its leader does; one that only workers lead, once any of them does. It is never pending again. */
final class StartRule {
    private StartRule() {}

    static void apply(ReconcileContext turn) {
        if (turn.job().phase() != JobPhase.PENDING) {
            return;
        }
        RoleType leader = turn.plan.leader().type();
        // One that was quick may never have been seen while it ran.
        if (turn.count(leader, ReplicaStage.RUNNING) + turn.count(leader, ReplicaStage.SUCCEEDED) > 0) {
            turn.job(ImmutableJobState.copyOf(turn.job()).withPhase(JobPhase.RUNNING));
            turn.event(JobEvent.Type.JOB_RUNNING, "job " + turn.plan.name() + " is running");
        }
    }
}
