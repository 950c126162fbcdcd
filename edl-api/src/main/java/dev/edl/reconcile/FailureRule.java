package dev.edl.reconcile;

import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.util.List;

/**
 * Fails a job that has lost a required replica for good. Required are every replica that is not a worker, the leader, and
 * at least one worker. If all workers must succeed, each worker is required.
 */
final class FailureRule {
    private FailureRule() {}

    static void apply(ReconcileContext context) {
        if (context.ended()) {
            return;
        }
        List<ReplicaState> failed = context.open(r -> r.stage() == ReplicaStage.FAILED);
        List<ReplicaState> lost =
                failed.stream().filter(r -> r.role() == RoleType.WORKER).toList();
        for (ReplicaState replica : failed) {
            if (replica.role() != RoleType.WORKER) {
                fail(context, lostFor(replica));
            }
        }
        if (!lost.isEmpty() && lost.size() == context.occupiedSlots(RoleType.WORKER)) {
            fail(context, "All workers failed; the last one was " + describe(lost.get(lost.size() - 1)));
        }
        boolean all = context.plan.success() == SuccessPolicy.ALL_WORKERS;
        lost.stream()
                .filter(replica -> all || context.leads(replica))
                .findFirst()
                .ifPresent(replica -> fail(context, lostFor(replica)));
    }

    private static void fail(ReconcileContext context, String message) {
        context.end(JobPhase.FAILED, JobEvent.Type.JOB_FAILED, message);
    }

    private static String lostFor(ReplicaState replica) {
        return describe(replica) + ", and is not relaunched";
    }

    private static String describe(ReplicaState replica) {
        return replica.name() + ": " + replica.endWords();
    }
}
