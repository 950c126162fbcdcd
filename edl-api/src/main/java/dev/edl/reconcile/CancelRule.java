package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;

/** A job that was asked to stop stops, unless it has just ended by itself. */
final class CancelRule {
    private CancelRule() {}

    static void apply(ReconcileContext context) {
        if (context.job().cancelRequested()) {
            context.end(JobPhase.CANCELLED, JobEvent.Type.JOB_CANCELLED, "cancelled on request");
        }
    }
}
