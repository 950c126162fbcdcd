package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/** Builds the message of a wait that timed out before the job ended. */
final class TimeoutMessage {
    private TimeoutMessage() {}

    static String of(JobPlan plan, JobStatus status, Duration limit) {
        String goal = switch (status.phase()) {
            case PENDING -> start(plan);
            case SUSPENDED -> "resume()";
            default -> end(plan);
        };
        return "job \"" + plan.name() + "\" has not ended within " + describe(limit) + ": it is " + status.phase()
                + " and waits for " + goal + "; "
                + status.roles().stream().map(RoleStatus::toString).collect(Collectors.joining("; "));
    }

    /**
     * Returns the condition under which a pending job becomes {@link dev.edl.status.JobPhase#RUNNING}:
     * {@code elasticdl-mnist-master to run}. It does not depend on the success policy.
     */
    private static String start(JobPlan plan) {
        RoleType leading = plan.leader().type();
        return (leading == RoleType.WORKER ? "a worker" : plan.replicaName(leading, 0)) + " to run";
    }

    /** Returns a duration as text: {@code 2h} or {@code 1.5s}. */
    private static String describe(Duration limit) {
        return limit.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static String end(JobPlan plan) {
        return switch (plan.success()) {
            case LEADER -> plan.replicaName(plan.leader().type(), 0) + " to succeed";
            case ALL_WORKERS -> "every worker to succeed";
        };
    }
}
