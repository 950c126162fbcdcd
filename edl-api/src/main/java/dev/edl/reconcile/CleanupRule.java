package dev.edl.reconcile;

import dev.edl.spec.CleanupPolicy;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.util.Optional;

/**
 * Deletes replicas of an ended job as its cleanup policy requires. Replicas of a cancelled job that have not ended are
 * deleted under every policy.
 */
final class CleanupRule {
    private static final String WHY = "the job has ended";

    private CleanupRule() {}

    static void apply(ReconcileContext context) {
        CleanupPolicy policy = context.plan.policy().cleanup();
        if (policy == CleanupPolicy.NONE && context.job().phase() != JobPhase.CANCELLED) {
            return;
        }
        if (policy == CleanupPolicy.ALL) {
            // Objects of replaced replicas that the state has forgotten; DeletionRule deletes unknown objects that
            // run.
            context.unknown().stream()
                    .filter(seen -> !seen.terminating() && !seen.runs())
                    .filter(seen -> context.mayDelete(seen.name(), Optional.empty()))
                    .forEach(seen -> context.delete(seen.name(), WHY));
        }
        for (ReplicaState replica : context.replicas()) {
            ObservedReplica seen = context.seen(replica.name());
            if (replica.stage().alive()) {
                DeletionRule.remove(context, replica, WHY);
            } else if (policy == CleanupPolicy.ALL
                    && seen != null
                    && !seen.terminating()
                    && replica.stage() != ReplicaStage.REMOVED) {
                DeletionRule.ask(context, replica, WHY);
            }
        }
    }
}
