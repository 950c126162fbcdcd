package dev.edl.reconcile;

import dev.edl.internal.text.DurationText;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.time.Instant;

/** Removes an ended job with all its objects when its time to live is over. */
final class TtlRule {
    private TtlRule() {}

    static void apply(ReconcileContext context) {
        context.plan.policy().ttl().ifPresent(ttl -> check(context, ttl));
    }

    private static void check(ReconcileContext context, Duration ttl) {
        Instant due = ReconcileContext.later(context.job().endedAt().orElse(context.now), ttl);
        if (context.job().collected()) {
            return;
        }
        if (context.now.isBefore(due)) {
            context.wakeAt(due);
        } else if (context.mayDelete(context.plan.name(), context.job().collectRequestedAt())) {
            if (context.job().collectRequestedAt().isEmpty()) {
                context.event(
                        JobEvent.Type.JOB_COLLECTED, "removed all objects, " + DurationText.of(ttl) + " after the end");
            }
            context.job(ImmutableJobState.copyOf(context.job()).withCollectRequestedAt(context.now));
            context.collect();
            context.wakeAt(context.now.plus(ReconcileContext.ASK_AGAIN));
        }
    }
}
