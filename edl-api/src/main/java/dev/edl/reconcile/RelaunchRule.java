package dev.edl.reconcile;

import dev.edl.RestartPolicy;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.internal.Ending;
import dev.edl.reconcile.internal.Retry;
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
 * the delay of {@link Retry}; the others do not wait.
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

    static void apply(Turn turn) {
        for (Ending ending : turn.endings()) {
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
    static void refuseRetries(Turn turn) {
        for (Ending ending : turn.endings()) {
            if (Retry.granted(turn.role(ending.replica()), ending.replica())) {
                Sighting.failed(turn, ending.replica());
            }
        }
    }

    private static Verdict verdict(RolePlan role, Ending ending) {
        ReplicaState replica = ending.replica();
        int code = replica.exitCode().orElse(-1);
        if (role.exitCodes().fatal().contains(code)) {
            return Verdict.FATAL;
        }
        if (role.restart() == RestartPolicy.NEVER) {
            return Verdict.NONE;
        }
        if (ending.fromOutside() || (role.exitCodes().free().contains(code) && !Ending.overused(replica))) {
            return Verdict.FREE;
        }
        if (Retry.granted(role, replica)) {
            return Verdict.TEMPORARY;
        }
        boolean left = role.restart() == RestartPolicy.ALWAYS || replica.spent() < role.relaunchLimit();
        return left ? Verdict.COUNTED : Verdict.NONE;
    }

    private static String refusal(RolePlan role, ReplicaState replica) {
        return role.restart() == RestartPolicy.NEVER
                ? "its restart policy is NEVER"
                : "its lineage has spent " + replica.spent() + " of " + role.relaunchLimit() + " relaunches";
    }

    private static void fatal(Turn turn, ReplicaState replica) {
        turn.end(
                JobPhase.FAILED,
                JobEvent.Type.JOB_FAILED,
                replica.name() + " failed with " + Ending.words(replica) + ", which is fatal for the job");
    }

    private static void relaunch(Turn turn, RolePlan role, ReplicaState ended, Verdict verdict) {
        boolean temporary = verdict == Verdict.TEMPORARY;
        if (ScaleRule.excess(turn, role) > 0 && !turn.leads(ended)) {
            turn.put(ImmutableReplicaState.copyOf(ended).withStage(ReplicaStage.REMOVED));
            if (temporary) {
                turn.event(
                        JobEvent.Type.REPLICA_DELETED,
                        ended,
                        "removed " + ended.name() + ": it " + Retry.words(ended) + ", and the role was scaled down");
            }
            return;
        }
        int retries = temporary ? Retry.count(ended) : 0;
        Duration wait = switch (verdict) {
            case COUNTED -> turn.plan.policy().backoff().delay(ended.spent());
            case TEMPORARY -> Retry.delay(retries);
            default -> Duration.ZERO;
        };
        ReplicaState.Builder successor = ReplicaState.builder()
                .role(ended.role())
                .index(ended.index())
                .stage(ReplicaStage.WAITING)
                .spent(ended.spent() + (verdict == Verdict.COUNTED ? 1 : 0))
                .retries(retries)
                .created(role.freshIds() ? turn.now : ended.created());
        if (ended.leaving()) {
            successor.evacuated(ended.evacuated());
        }
        if (!wait.isZero()) {
            successor.notBefore(Turn.later(turn.now, wait));
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

    private static String retried(Turn turn, ReplicaState ended, ReplicaState next, Duration wait) {
        return ended.role() + " " + ended.name() + " " + Retry.words(ended) + "; "
                + (next.name().equals(ended.name()) ? "it starts again " : next.name() + " starts ")
                + (turn.suspended() ? "once the job is resumed" : "in " + Retry.text(wait));
    }
}
