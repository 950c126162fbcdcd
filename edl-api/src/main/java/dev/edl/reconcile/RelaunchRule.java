package dev.edl.reconcile;

import dev.edl.RestartPolicy;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.internal.ReplicaFailure;
import dev.edl.reconcile.internal.TemporaryExitRetry;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import java.time.Duration;

/**
 * Which ended replicas get a successor. ElasticDL's rule: a deleted one always, as one that its machine evicted; one that was
 * killed from outside (a free exit code, unless for want of memory, or for more disk than it may use) always; a temporary exit
 * code always, after a delay; another failure while its lineage has not spent its relaunch limit.
 *
 * <p>The successor of a worker gets the next id, never a used one; in the other roles it has the same id and name, and is
 * created once the old object is gone. Relaunches that spend the limit wait for the backoff, those of temporary exit codes for
 * the delay of {@link TemporaryExitRetry}; the others do not wait.
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

    static void apply(ReconcileContext turn) {
        for (ReplicaFailure ending : turn.failures()) {
            ReplicaState replica = ending.replica();
            RolePlan role = turn.role(replica);
            Verdict verdict = verdict(role, ending);
            switch (verdict) {
                case FATAL -> fatal(turn, replica);
                case NONE ->
                    turn.event(
                            JobEvent.Type.RELAUNCH_LIMIT,
                            replica,
                            replica.name() + " is not relaunched: " + refusal(role, replica));
                case FREE, TEMPORARY, COUNTED -> relaunch(turn, role, replica, verdict);
            }
        }
    }

    /** Reports temporary exit codes as failures when the job has ended: no relaunch follows. */
    static void refuseRetries(ReconcileContext turn) {
        for (ReplicaFailure ending : turn.failures()) {
            if (TemporaryExitRetry.granted(turn.role(ending.replica()), ending.replica())) {
                ObservationRule.failed(turn, ending.replica());
            }
        }
    }

    private static Verdict verdict(RolePlan role, ReplicaFailure ending) {
        ReplicaState replica = ending.replica();
        int code = replica.exitCode().orElse(-1);
        if (role.exitCodes().fatal().contains(code)) {
            return Verdict.FATAL;
        }
        if (role.restart() == RestartPolicy.NEVER) {
            return Verdict.NONE;
        }
        if (ending.fromOutside() || (role.exitCodes().free().contains(code) && !ReplicaFailure.overused(replica))) {
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
                : "its lineage has spent " + replica.relaunchesUsed() + " of " + role.relaunchLimit() + " relaunches";
    }

    private static void fatal(ReconcileContext turn, ReplicaState replica) {
        turn.end(
                JobPhase.FAILED,
                JobEvent.Type.JOB_FAILED,
                replica.name() + " failed with " + ReplicaFailure.words(replica) + ", which is fatal for the job");
    }

    private static void relaunch(ReconcileContext turn, RolePlan role, ReplicaState ended, Verdict verdict) {
        boolean temporary = verdict == Verdict.TEMPORARY;
        if (ScaleRule.excess(turn, role) > 0 && !turn.leads(ended)) {
            turn.put(ImmutableReplicaState.copyOf(ended).withStage(ReplicaStage.REMOVED));
            if (temporary) {
                turn.event(
                        JobEvent.Type.REPLICA_DELETED,
                        ended,
                        "removed " + ended.name() + ": it " + TemporaryExitRetry.words(ended)
                                + ", and the role was scaled down");
            }
            return;
        }
        int retries = temporary ? TemporaryExitRetry.count(ended) : 0;
        Duration wait = switch (verdict) {
            case COUNTED -> turn.plan.policy().backoff().delay(ended.relaunchesUsed());
            case TEMPORARY -> TemporaryExitRetry.delay(retries);
            default -> Duration.ZERO;
        };
        ReplicaState.Builder successor = ReplicaState.builder()
                .role(ended.role())
                .index(ended.index())
                .stage(ReplicaStage.WAITING)
                .relaunchesUsed(ended.relaunchesUsed() + (verdict == Verdict.COUNTED ? 1 : 0))
                .retries(retries)
                .createdAt(role.freshIds() ? turn.now : ended.createdAt());
        if (ended.isDraining()) {
            successor.drainedAt(ended.drainedAt());
        }
        if (!wait.isZero()) {
            successor.backoffUntil(ReconcileContext.later(turn.now, wait));
        }
        if (role.freshIds()) {
            turn.put(ImmutableReplicaState.copyOf(ended).withStage(ReplicaStage.REPLACED));
            int id = turn.takeId(ended.role());
            successor.id(id).name(turn.plan.replicaName(ended.role(), id));
        } else {
            successor.id(ended.id()).name(ended.name()).uid(ended.uid()).restarts(ended.restarts() + 1);
        }
        ReplicaState next = successor.build();
        turn.put(next);
        turn.event(
                JobEvent.Type.RELAUNCHED,
                ended,
                temporary ? retried(turn, ended, next, wait) : relaunched(ended, wait));
    }

    private static String relaunched(ReplicaState ended, Duration wait) {
        return "Relaunch the " + ended.role() + ": " + ended.name() + (wait.isZero() ? "" : " after " + wait);
    }

    private static String retried(ReconcileContext turn, ReplicaState ended, ReplicaState next, Duration wait) {
        return ended.role() + " " + ended.name() + " " + TemporaryExitRetry.words(ended) + "; "
                + (next.name().equals(ended.name()) ? "it starts again " : next.name() + " starts ")
                + (turn.suspended() ? "once the job is resumed" : "in " + TemporaryExitRetry.text(wait));
    }
}
