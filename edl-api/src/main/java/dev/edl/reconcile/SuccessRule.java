package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.plan.RolePlan;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;

/** A job has succeeded when its leader has, or when every worker has, as its policy says. */
final class SuccessRule {
    private SuccessRule() {}

    static void apply(ReconcileContext turn) {
        switch (turn.plan.success()) {
            case LEADER -> leader(turn);
            case ALL_WORKERS -> workers(turn);
        }
    }

    private static void leader(ReconcileContext turn) {
        RoleType leading = turn.plan.leader().type();
        if (turn.count(leading, ReplicaStage.SUCCEEDED) == 0) {
            return;
        }
        turn.replicas(leading, r -> turn.leads(r) && r.stage() == ReplicaStage.SUCCEEDED).stream()
                .findFirst()
                .ifPresent(r -> succeeded(turn, r.name() + " succeeded"));
    }

    private static void workers(ReconcileContext turn) {
        int workers = turn.occupiedSlots(RoleType.WORKER);
        int succeeded = turn.count(RoleType.WORKER, ReplicaStage.SUCCEEDED);
        if (workers > 0 && succeeded == workers) {
            succeeded(turn, workers == 1 ? "the worker succeeded" : "all " + workers + " workers succeeded");
        } else if (succeeded > 0 && smaller(turn, succeeded, workers - succeeded)) {
            succeeded(turn, succeeded + " of " + workers + " workers succeeded; the others could not be created");
        }
    }

    /** An elastic role above its minimum does without the workers that the substrate refuses to create. */
    private static boolean smaller(ReconcileContext turn, int succeeded, int missing) {
        RolePlan role = turn.plan.role(RoleType.WORKER.id());
        return role.elastic() && succeeded >= role.bounds().min() && turn.refused(RoleType.WORKER) == missing;
    }

    private static void succeeded(ReconcileContext turn, String message) {
        turn.end(JobPhase.SUCCEEDED, JobEvent.Type.JOB_SUCCEEDED, message);
    }
}
