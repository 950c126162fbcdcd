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
        ReconcileContext context =
                new ReconcileContext(plan, state, seen, now.truncatedTo(ChronoUnit.MILLIS), settles, forceDelete);
        ObservationRule.apply(context);
        if (!context.ended()) {
            StartRule.apply(context);
            SuccessRule.apply(context);
            CancelRule.apply(context);
            SuspendRule.apply(context);
            DeadlineRule.apply(context);
        }
        if (context.ended()) {
            RelaunchRule.refuseRetries(context);
        } else {
            RelaunchRule.apply(context);
            ScaleRule.apply(context);
            if (!context.suspended()) {
                NodeDrainRule.apply(context);
            }
            SuccessRule.apply(context);
            FailureRule.apply(context);
        }
        if (context.ended()) {
            CleanupRule.apply(context);
            TtlRule.apply(context);
        } else if (!context.suspended()) {
            CreationRule.apply(context);
        }
        DeletionRule.apply(context);
        return context.decision();
    }
}
