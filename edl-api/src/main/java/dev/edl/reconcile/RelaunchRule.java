package dev.edl.reconcile;

import dev.edl.RestartPolicy;
import dev.edl.plan.RolePlan;
import java.time.Duration;
import java.util.Set;

/**
 * Which ended replicas get a successor. ElasticDL's rule: a deleted one always, as one that its machine evicted; one that was
 * killed from outside (a free exit code, unless for want of memory, or for more disk than it may use) always; another failure
 * while its lineage has not spent its relaunch limit.
 *
 * <p>The successor of a worker gets the next id, never a used one; in the other roles it has the same id and name, and is
 * created once the old object is gone. Relaunches that spend the limit wait for the backoff; the others do not.
 */
final class RelaunchRule {
    /**
     * Killed for what they did, whatever the code: for want of memory, and for more disk than they may use. What a machine evicts for
     * its own sake is {@link ReplicaPhase#DISRUPTED} and not of these.
     */
    private static final Set<String> OWN_DOING = Set.of("OOMKilled", "Evicted");

    private RelaunchRule() {}

    private enum Verdict {
        FREE,
        COUNTED,
        NONE,
        FATAL
    }

    static void apply(Turn turn) {
        for (Ending ending : turn.endings()) {
            ReplicaState replica = ending.replica();
            RolePlan role = turn.role(replica);
            switch (verdict(role, ending)) {
                case FATAL -> fatal(turn, replica);
                case NONE ->
                    turn.event(
                            JobEvent.Type.RELAUNCH_LIMIT,
                            replica,
                            replica.name() + " is not relaunched: " + refusal(role, replica));
                case FREE -> relaunch(turn, role, replica, false);
                case COUNTED -> relaunch(turn, role, replica, true);
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
        boolean ownDoing = replica.reason().filter(OWN_DOING::contains).isPresent();
        if (ending.fromOutside() || (role.exitCodes().free().contains(code) && !ownDoing)) {
            return Verdict.FREE;
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

    private static void relaunch(Turn turn, RolePlan role, ReplicaState ended, boolean counted) {
        if (ScaleRule.excess(turn, role) > 0 && !turn.leads(ended)) {
            turn.put(ImmutableReplicaState.copyOf(ended).withStage(ReplicaStage.REMOVED));
            return;
        }
        Duration wait = counted ? turn.plan.policy().backoff().delay(ended.spent()) : Duration.ZERO;
        ReplicaState.Builder next = ReplicaState.builder()
                .role(ended.role())
                .index(ended.index())
                .stage(ReplicaStage.WAITING)
                .spent(ended.spent() + (counted ? 1 : 0))
                .created(role.freshIds() ? turn.now : ended.created());
        if (ended.leaving()) {
            next.evacuated(ended.evacuated());
        }
        if (!wait.isZero()) {
            next.notBefore(Turn.later(turn.now, wait));
        }
        if (role.freshIds()) {
            turn.put(ImmutableReplicaState.copyOf(ended).withStage(ReplicaStage.REPLACED));
            int id = turn.takeId(ended.role());
            turn.put(next.id(id).name(turn.plan.replicaName(ended.role(), id)).build());
        } else {
            turn.put(next.id(ended.id())
                    .name(ended.name())
                    .uid(ended.uid())
                    .restarts(ended.restarts() + 1)
                    .build());
        }
        turn.event(
                JobEvent.Type.RELAUNCHED,
                ended,
                "Relaunch the " + ended.role() + ": " + ended.name() + (wait.isZero() ? "" : " after " + wait));
    }
}
