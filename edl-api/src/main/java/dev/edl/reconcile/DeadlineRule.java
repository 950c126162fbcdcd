package dev.edl.reconcile;

import dev.edl.internal.text.DurationText;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;

/**
 * Fails a job that runs longer than its deadline. The time counts from the first reconcile decision, so it includes the
 * wait for replicas to start. It restarts at each resume, and is not checked while the job is suspended.
 */
final class DeadlineRule {
    private DeadlineRule() {}

    static void apply(ReconcileContext context) {
        context.plan.policy().deadline().ifPresent(deadline -> check(context, deadline));
    }

    private static void check(ReconcileContext context, Duration deadline) {
        JobState job = context.job();
        Instant due = ReconcileContext.later(job.resumedAt().or(job::startedAt).orElse(context.now), deadline);
        if (context.ended() || context.suspended()) {
            return;
        }
        if (context.now.isBefore(due)) {
            context.wakeAt(due);
            return;
        }
        String message = "ran longer than its deadline of " + DurationText.of(deadline);
        context.event(JobEvent.Type.DEADLINE_EXCEEDED, message);
        context.end(JobPhase.FAILED, JobEvent.Type.JOB_FAILED, message);
    }
}
