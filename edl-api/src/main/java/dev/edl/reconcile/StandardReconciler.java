package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Applies all rules in a fixed order: first observe what happened, then derive the job's phase, then decide what to do.
 * An ended job passes the last rules only, so it never leaves its final phase.
 */
final class StandardReconciler implements Reconciler {
    private final boolean settles;
    private final boolean forceDelete;

    /**
     * Creates the reconciler.
     *
     * @param settles whether a reconcile pass skips settled replicas whose objects have not changed; tests compare its
     *     decisions with those for {@code false}
     * @param forceDelete whether a replica's object may be force-deleted when its node does not respond
     */
    StandardReconciler(boolean settles, boolean forceDelete) {
        this.settles = settles;
        this.forceDelete = forceDelete;
    }

    @Override
    public Decision reconcile(JobPlan plan, JobState state, JobObservation seen, Instant now) {
        // A state has several times for each replica: digits below a millisecond carry no information and do not
        // compress.
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
