package dev.edl.reconcile;

import dev.edl.RoleType;

/** A job has succeeded when its leader has, or when every worker has, as its policy says. */
final class SuccessRule {
    private SuccessRule() {}

    static void apply(Turn turn) {
        switch (turn.plan.success()) {
            case LEADER -> leader(turn);
            case ALL_WORKERS -> workers(turn);
        }
    }

    private static void leader(Turn turn) {
        RoleType leading = turn.plan.leader().type();
        if (turn.count(leading, ReplicaStage.SUCCEEDED) == 0) {
            return;
        }
        turn.replicas(leading, r -> turn.leads(r) && r.stage() == ReplicaStage.SUCCEEDED).stream()
                .findFirst()
                .ifPresent(r -> succeeded(turn, r.name() + " succeeded"));
    }

    private static void workers(Turn turn) {
        int workers = turn.places(RoleType.WORKER);
        if (workers > 0 && turn.count(RoleType.WORKER, ReplicaStage.SUCCEEDED) == workers) {
            succeeded(turn, workers == 1 ? "the worker succeeded" : "all " + workers + " workers succeeded");
        }
    }

    private static void succeeded(Turn turn, String message) {
        turn.end(JobPhase.SUCCEEDED, JobEvent.Type.JOB_SUCCEEDED, message);
    }
}
