package dev.edl.reconcile;

import dev.edl.internal.text.DurationText;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.ReconcileContext.Failure;
import dev.edl.spec.RestartPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.time.Duration;

/**
 * Decides which replicas that ended without success get a successor, by ElasticDL's rules. A fatal exit code fails the
 * job. With restart policy NEVER, no replica gets a successor. Otherwise a successor follows:
 *
 * <ul>
 *   <li>after a deletion or an eviction by the node: always;
 *   <li>after a kill from outside: always. The exit code is a free one, and the replica did not exceed its memory or
 *       disk limit;
 *   <li>after a temporary exit code: always, after a delay;
 *   <li>after any other failure: while the relaunch limit of the slot is not reached; with restart policy ALWAYS,
 *       always.
 * </ul>
 *
 * <p>If {@link RolePlan#freshIds} is true for the role, the successor gets the next unused id. Otherwise it has the
 * same id and name, and is created once the old object is gone. Relaunches that count against the limit wait for the
 * backoff. Relaunches after temporary exit codes wait for the delay of {@link TemporaryExitRetry}. Others do not wait.
 * In a role that was scaled down, an ended replica is removed instead, unless it is the leader.
 */
final class RelaunchRule {
    private RelaunchRule() {}

    private enum Verdict {
        FREE,
        TEMPORARY,
        COUNTED,
        NONE,
        FATAL
    }

    static void apply(ReconcileContext context) {
        for (Failure failure : context.failures()) {
            ReplicaState replica = failure.replica();
            RolePlan role = context.role(replica);
            Verdict verdict = verdict(role, failure);
            switch (verdict) {
                case FATAL -> fatal(context, replica);
                case NONE ->
                    context.event(
                            JobEvent.Type.RELAUNCH_LIMIT,
                            replica,
                            replica.name() + " is not relaunched: " + refusal(role, replica));
                case FREE, TEMPORARY, COUNTED -> relaunch(context, role, replica, verdict);
            }
        }
    }

    /** Emits failure events for temporary exit codes after the job has ended, since no relaunch follows. */
    static void refuseRetries(ReconcileContext context) {
        for (Failure failure : context.failures()) {
            if (TemporaryExitRetry.granted(context.role(failure.replica()), failure.replica())) {
                ObservationRule.failed(context, failure.replica());
            }
        }
    }

    private static Verdict verdict(RolePlan role, Failure failure) {
        ReplicaState replica = failure.replica();
        int code = replica.exitCode().orElse(-1);
        if (role.exitCodes().fatal().contains(code)) {
            return Verdict.FATAL;
        }
        if (role.restart() == RestartPolicy.NEVER) {
            return Verdict.NONE;
        }
        if (failure.fromOutside() || (role.exitCodes().free().contains(code) && !replica.overused())) {
            return Verdict.FREE;
        }
        if (TemporaryExitRetry.granted(role, replica)) {
            return Verdict.TEMPORARY;
        }
        boolean left = role.restart() == RestartPolicy.ALWAYS || replica.relaunchesUsed() < role.relaunchLimit();
        return left ? Verdict.COUNTED : Verdict.NONE;
    }

    private static String refusal(RolePlan role, ReplicaState replica) {
        return role.restart() == RestartPolicy.NEVER
                ? "its restart policy is NEVER"
                : "it has used " + replica.relaunchesUsed() + " of " + role.relaunchLimit() + " relaunches";
    }

    private static void fatal(ReconcileContext context, ReplicaState replica) {
        context.end(
                JobPhase.FAILED,
                JobEvent.Type.JOB_FAILED,
                replica.name() + " failed with " + replica.endWords() + ", which is fatal for the job");
    }

    private static void relaunch(ReconcileContext context, RolePlan role, ReplicaState ended, Verdict verdict) {
        boolean temporary = verdict == Verdict.TEMPORARY;
        if (ScaleRule.excess(context, role) > 0 && !context.leads(ended)) {
            context.put(ImmutableReplicaState.copyOf(ended).withStage(ReplicaStage.REMOVED));
            if (temporary) {
                context.event(
                        JobEvent.Type.REPLICA_DELETED,
                        ended,
                        "removed " + ended.name() + ": it " + TemporaryExitRetry.describe(ended)
                                + ", and the role was scaled down");
            }
            return;
        }
        int retries = temporary ? TemporaryExitRetry.count(ended) : 0;
        Duration wait = switch (verdict) {
            case COUNTED -> context.plan.policy().backoff().delay(ended.relaunchesUsed());
            case TEMPORARY -> TemporaryExitRetry.delay(retries);
            default -> Duration.ZERO;
        };
        ReplicaState.Builder successor = ReplicaState.builder()
                .role(ended.role())
                .index(ended.index())
                .stage(ReplicaStage.WAITING)
                .relaunchesUsed(ended.relaunchesUsed() + (verdict == Verdict.COUNTED ? 1 : 0))
                .retries(retries)
                .createdAt(role.freshIds() ? context.now : ended.createdAt());
        if (ended.isDraining()) {
            successor.drainedAt(ended.drainedAt());
        }
        if (!wait.isZero()) {
            successor.backoffUntil(ReconcileContext.later(context.now, wait));
        }
        if (role.freshIds()) {
            context.put(ImmutableReplicaState.copyOf(ended).withStage(ReplicaStage.REPLACED));
            int id = context.takeId(ended.role());
            successor.id(id).name(context.plan.replicaName(ended.role(), id));
        } else {
            successor.id(ended.id()).name(ended.name()).uid(ended.uid()).restarts(ended.restarts() + 1);
        }
        ReplicaState next = successor.build();
        context.put(next);
        context.event(
                JobEvent.Type.RELAUNCHED,
                ended,
                temporary ? retried(context, ended, next, wait) : relaunched(ended, wait));
    }

    private static String relaunched(ReplicaState ended, Duration wait) {
        return "Relaunch the " + ended.role() + ": " + ended.name()
                + (wait.isZero() ? "" : " after " + DurationText.of(wait));
    }

    private static String retried(ReconcileContext context, ReplicaState ended, ReplicaState next, Duration wait) {
        return ended.role() + " " + ended.name() + " " + TemporaryExitRetry.describe(ended) + "; "
                + (next.name().equals(ended.name()) ? "it starts again " : next.name() + " starts ")
                + (context.suspended() ? "once the job is resumed" : "in " + DurationText.of(wait));
    }
}
