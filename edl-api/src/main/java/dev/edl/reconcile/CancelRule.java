package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;

/** Cancels a job on request, unless it has ended in the same pass. */
final class CancelRule {
    private CancelRule() {}

    static void apply(ReconcileContext context) {
        if (context.job().cancelRequested()) {
            context.end(JobPhase.CANCELLED, JobEvent.Type.JOB_CANCELLED, "cancelled on request");
        }
    }
}
