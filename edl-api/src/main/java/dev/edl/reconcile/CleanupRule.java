package dev.edl.reconcile;

import dev.edl.CleanupPolicy;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.util.Optional;

/** What is removed once a job has ended, as its policy says; a cancelled job stops in any case. */
final class CleanupRule {
    private static final String WHY = "the job has ended";

    private CleanupRule() {}

    static void apply(ReconcileContext turn) {
        CleanupPolicy policy = turn.plan.policy().cleanup();
        if (policy == CleanupPolicy.NONE && turn.job().phase() != JobPhase.CANCELLED) {
            return;
        }
        if (policy == CleanupPolicy.ALL) {
            // Of a replaced replica that the state has forgotten; what runs is a stranger of DeletionRule.
            turn.unknown().stream()
                    .filter(seen -> !seen.terminating() && !seen.runs())
                    .filter(seen -> turn.mayDelete(seen.name(), Optional.empty()))
                    .forEach(seen -> turn.delete(seen.name(), WHY));
        }
        for (ReplicaState replica : turn.replicas()) {
            ObservedReplica seen = turn.seen(replica.name());
            if (replica.stage().alive()) {
                DeletionRule.remove(turn, replica, WHY);
            } else if (policy == CleanupPolicy.ALL
                    && seen != null
                    && !seen.terminating()
                    && replica.stage() != ReplicaStage.REMOVED) {
                DeletionRule.ask(turn, replica, WHY);
            }
        }
    }
}
