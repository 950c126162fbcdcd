package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import java.time.Duration;
import java.time.Instant;

/** An ended job whose time to live is over is removed as a whole. */
final class TtlRule {
    private TtlRule() {}

    static void apply(ReconcileContext turn) {
        turn.plan.policy().ttl().ifPresent(ttl -> check(turn, ttl));
    }

    private static void check(ReconcileContext turn, Duration ttl) {
        Instant due = ReconcileContext.later(turn.job().endedAt().orElse(turn.now), ttl);
        if (turn.job().collected()) {
            return;
        }
        if (turn.now.isBefore(due)) {
            turn.wakeAt(due);
        } else if (turn.mayDelete(turn.plan.name(), turn.job().collectRequestedAt())) {
            if (turn.job().collectRequestedAt().isEmpty()) {
                turn.event(JobEvent.Type.JOB_COLLECTED, "removed everything, " + ttl + " after the end");
            }
            turn.job(ImmutableJobState.copyOf(turn.job()).withCollectRequestedAt(turn.now));
            turn.collect();
            turn.wakeAt(turn.now.plus(ReconcileContext.ASK_AGAIN));
        }
    }
}
