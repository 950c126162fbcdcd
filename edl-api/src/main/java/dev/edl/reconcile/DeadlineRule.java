package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;

/**
 * A job that runs longer than its deadline fails; the time counts from its first decision, waiting included, or from when it was
 * last resumed. While it is suspended none counts.
 */
final class DeadlineRule {
    private DeadlineRule() {}

    static void apply(ReconcileContext turn) {
        turn.plan.policy().deadline().ifPresent(deadline -> check(turn, deadline));
    }

    private static void check(ReconcileContext turn, Duration deadline) {
        JobState job = turn.job();
        Instant due = ReconcileContext.later(job.resumedAt().or(job::startedAt).orElse(turn.now), deadline);
        if (turn.ended() || turn.suspended()) {
            return;
        }
        if (turn.now.isBefore(due)) {
            turn.wakeAt(due);
            return;
        }
        String message = "ran longer than its deadline of " + deadline;
        turn.event(JobEvent.Type.DEADLINE_EXCEEDED, message);
        turn.end(JobPhase.FAILED, JobEvent.Type.JOB_FAILED, message);
    }
}
