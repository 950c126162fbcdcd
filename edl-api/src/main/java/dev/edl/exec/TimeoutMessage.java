package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobPhase;
import java.time.Duration;
import java.util.stream.Collectors;

/** What to tell somebody whose patience ended before the job did. */
final class TimeoutMessage {
    private TimeoutMessage() {}

    static String of(JobPlan plan, JobStatus status, Duration limit) {
        String leader = plan.replicaName(plan.leader().type(), 0);
        String goal = switch (plan.success()) {
            case LEADER -> status.phase() == JobPhase.PENDING ? leader + " to run" : leader + " to succeed";
            case ALL_WORKERS -> status.phase() == JobPhase.PENDING ? "a worker to run" : "every worker to succeed";
        };
        return "job \"" + plan.name() + "\" has not ended within " + limit + ": it is " + status.phase()
                + " and waits for " + goal + "; "
                + status.roles().stream().map(RoleStatus::toString).collect(Collectors.joining("; "));
    }
}
