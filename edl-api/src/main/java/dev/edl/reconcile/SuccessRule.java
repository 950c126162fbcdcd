package dev.edl.reconcile;

import dev.edl.RoleType;
import java.util.List;

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
        turn.replicas().stream()
                .filter(r -> turn.leads(r) && r.stage() == ReplicaStage.SUCCEEDED)
                .findFirst()
                .ifPresent(r -> succeeded(turn, r.name() + " succeeded"));
    }

    private static void workers(Turn turn) {
        List<ReplicaState> workers =
                turn.replicas(RoleType.WORKER, r -> r.stage().fillsPlace());
        if (!workers.isEmpty() && workers.stream().allMatch(r -> r.stage() == ReplicaStage.SUCCEEDED)) {
            succeeded(
                    turn,
                    workers.size() == 1 ? "the worker succeeded" : "all " + workers.size() + " workers succeeded");
        }
    }

    private static void succeeded(Turn turn, String message) {
        turn.end(JobPhase.SUCCEEDED, JobEvent.Type.JOB_SUCCEEDED, message);
    }
}
