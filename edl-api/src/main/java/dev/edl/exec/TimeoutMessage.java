package dev.edl.exec;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/** The message of a wait that ended before the job did. */
final class TimeoutMessage {
    private TimeoutMessage() {}

    static String of(JobPlan plan, JobStatus status, Duration limit) {
        String goal = switch (status.phase()) {
            case PENDING -> start(plan);
            case SUSPENDED -> "resume()";
            default -> end(plan);
        };
        return "job \"" + plan.name() + "\" has not ended within " + words(limit) + ": it is " + status.phase()
                + " and waits for " + goal + "; "
                + status.roles().stream().map(RoleStatus::toString).collect(Collectors.joining("; "));
    }

    /** What {@link dev.edl.status.JobPhase#RUNNING} begins with, whatever the job's success needs. */
    private static String start(JobPlan plan) {
        RoleType leading = plan.leader().type();
        return (leading == RoleType.WORKER ? "a worker" : plan.replicaName(leading, 0)) + " to run";
    }

    /** {@code 2h}, {@code 1.5s}. */
    private static String words(Duration limit) {
        return limit.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static String end(JobPlan plan) {
        return switch (plan.success()) {
            case LEADER -> plan.replicaName(plan.leader().type(), 0) + " to succeed";
            case ALL_WORKERS -> "every worker to succeed";
        };
    }
}
