package dev.edl.reconcile;

import dev.edl.RoleType;
import java.util.Optional;

/**
 * A launcher is not created before the workers run that it starts processes on: et-operator's order, and MPIJob's
 * {@code WaitForWorkersReady}. A worker that has ended for good is not waited for. Once the job has run, a launcher that is
 * relaunched waits for nobody: an elastic job goes on with what there is.
 */
final class LaunchRule {
    private LaunchRule() {}

    static boolean waits(Turn turn, ReplicaState replica) {
        Optional<RoleType> first = turn.plan.startsAfter(replica.role());
        if (first.isEmpty()
                || replica.stage() != ReplicaStage.WAITING
                || turn.job().phase() != JobPhase.PENDING) {
            return false;
        }
        return turn.count(first.get(), ReplicaStage.WAITING) + turn.count(first.get(), ReplicaStage.PENDING) > 0;
    }
}
