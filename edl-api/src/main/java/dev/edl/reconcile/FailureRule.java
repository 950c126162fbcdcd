package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.SuccessPolicy;
import dev.edl.reconcile.internal.ReplicaFailure;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.util.List;

/**
 * A job fails when what it cannot do without has failed for good: any replica that is no worker, the leader, all workers; and,
 * where every worker has to succeed, any of them.
 */
final class FailureRule {
    private FailureRule() {}

    static void apply(ReconcileContext turn) {
        if (turn.ended()) {
            return;
        }
        List<ReplicaState> failed = turn.open(r -> r.stage() == ReplicaStage.FAILED);
        List<ReplicaState> lost =
                failed.stream().filter(r -> r.role() == RoleType.WORKER).toList();
        for (ReplicaState replica : failed) {
            if (replica.role() != RoleType.WORKER) {
                fail(turn, lostFor(replica));
            }
        }
        if (!lost.isEmpty() && lost.size() == turn.occupiedSlots(RoleType.WORKER)) {
            fail(turn, "All workers failed; the last one was " + words(lost.get(lost.size() - 1)));
        }
        boolean all = turn.plan.success() == SuccessPolicy.ALL_WORKERS;
        lost.stream()
                .filter(replica -> all || turn.leads(replica))
                .findFirst()
                .ifPresent(replica -> fail(turn, lostFor(replica)));
    }

    private static void fail(ReconcileContext turn, String message) {
        turn.end(JobPhase.FAILED, JobEvent.Type.JOB_FAILED, message);
    }

    private static String lostFor(ReplicaState replica) {
        return words(replica) + ", and is not relaunched";
    }

    private static String words(ReplicaState replica) {
        return replica.name() + ": " + ReplicaFailure.words(replica);
    }
}
