package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import java.time.Instant;

/** All policies, in the order in which they see the job. */
final class StandardReconciler implements Reconciler {
    @Override
    public Decision reconcile(JobPlan plan, JobState state, Observed seen, Instant now) {
        Turn turn = new Turn(plan, state, seen, now);
        return turn.decision();
    }
}
