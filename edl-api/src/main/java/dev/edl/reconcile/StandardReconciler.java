package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * All policies, in the order in which they see the job: first what happened, then how the job stands, then what is still to
 * be done. An ended job only passes the last ones, so its end is never left.
 */
final class StandardReconciler implements Reconciler {
    private final boolean settles;
    private final boolean forceDelete;

    /**
     * The policies.
     *
     * @param settles false to look at every replica in each decision and for each rule, which a test compares with
     * @param forceDelete whether an object may be removed whose machine does not answer
     */
    StandardReconciler(boolean settles, boolean forceDelete) {
        this.settles = settles;
        this.forceDelete = forceDelete;
    }

    @Override
    public Decision reconcile(JobPlan plan, JobState state, Observed seen, Instant now) {
        // A state has several times of each replica: the digits behind milliseconds mean nothing and cannot be
        // compressed.
        ReconcileContext turn =
                new ReconcileContext(plan, state, seen, now.truncatedTo(ChronoUnit.MILLIS), settles, forceDelete);
        ObservationRule.apply(turn);
        if (!turn.ended()) {
            StartRule.apply(turn);
            SuccessRule.apply(turn);
            CancelRule.apply(turn);
            SuspendRule.apply(turn);
            DeadlineRule.apply(turn);
        }
        if (turn.ended()) {
            RelaunchRule.refuseRetries(turn);
        } else {
            RelaunchRule.apply(turn);
            ScaleRule.apply(turn);
            if (!turn.suspended()) {
                NodeDrainRule.apply(turn);
            }
            SuccessRule.apply(turn);
            FailureRule.apply(turn);
        }
        if (turn.ended()) {
            CleanupRule.apply(turn);
            TtlRule.apply(turn);
        } else if (!turn.suspended()) {
            CreationRule.apply(turn);
        }
        DeletionRule.apply(turn);
        return turn.decision();
    }
}
