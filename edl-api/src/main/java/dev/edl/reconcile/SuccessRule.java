package dev.edl.reconcile;

import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;

/**
 * Ends a job with success when its success policy is met: its leader, or every worker, has succeeded. An elastic job
 * may succeed without workers that the substrate refuses to create.
 */
final class SuccessRule {
    private SuccessRule() {}

    static void apply(ReconcileContext context) {
        switch (context.plan.success()) {
            case LEADER -> leader(context);
            case ALL_WORKERS -> workers(context);
        }
    }

    private static void leader(ReconcileContext context) {
        RoleType leading = context.plan.leader().type();
        if (context.count(leading, ReplicaStage.SUCCEEDED) == 0) {
            return;
        }
        context.replicas(leading, r -> context.leads(r) && r.stage() == ReplicaStage.SUCCEEDED).stream()
                .findFirst()
                .ifPresent(r -> succeeded(context, r.name() + " succeeded"));
    }

    private static void workers(ReconcileContext context) {
        int workers = context.occupiedSlots(RoleType.WORKER);
        int succeeded = context.count(RoleType.WORKER, ReplicaStage.SUCCEEDED);
        if (workers > 0 && succeeded == workers) {
            succeeded(context, workers == 1 ? "the worker succeeded" : "all " + workers + " workers succeeded");
        } else if (succeeded > 0 && smaller(context, succeeded, workers - succeeded)) {
            succeeded(context, succeeded + " of " + workers + " workers succeeded; the others could not be created");
        }
    }

    /**
     * Returns whether an elastic job succeeds with fewer workers than desired: at least the minimum has succeeded, and
     * the substrate refuses to create all others.
     */
    private static boolean smaller(ReconcileContext context, int succeeded, int missing) {
        RolePlan role = context.plan.role(RoleType.WORKER.id());
        return role.elastic() && succeeded >= role.bounds().min() && context.refused(RoleType.WORKER) == missing;
    }

    private static void succeeded(ReconcileContext context, String message) {
        context.end(JobPhase.SUCCEEDED, JobEvent.Type.JOB_SUCCEEDED, message);
    }
}
