package dev.edl.reconcile;

import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.util.Optional;

/**
 * Delays the creation of a launcher until the workers on which it starts processes run. This is et-operator's order,
 * and that of MPIJob with {@code WaitForWorkersReady}. The launcher does not wait for a worker that has ended without a
 * successor. While the job's phase is RUNNING, a relaunched launcher waits for no worker: an elastic job continues with
 * the workers that run.
 */
final class LauncherDelayRule {
    private LauncherDelayRule() {}

    static boolean waits(ReconcileContext context, ReplicaState replica) {
        Optional<RoleType> first = context.plan.startsAfter(replica.role());
        if (first.isEmpty()
                || replica.stage() != ReplicaStage.WAITING
                || context.job().phase() != JobPhase.PENDING) {
            return false;
        }
        int missing =
                context.count(first.get(), ReplicaStage.WAITING) + context.count(first.get(), ReplicaStage.PENDING);
        return missing > 0
                && !startsSmaller(context, context.plan.role(first.get().id()), missing);
    }

    /**
     * Returns whether a launcher starts with fewer workers than desired: the role is elastic, at least its minimum of
     * workers runs, and the substrate refuses to create all others.
     */
    private static boolean startsSmaller(ReconcileContext context, RolePlan role, int missing) {
        return role.elastic()
                && context.count(role.type(), ReplicaStage.RUNNING)
                        >= role.bounds().min()
                && context.refused(role.type()) == missing;
    }
}
