package dev.edl.exec;

import dev.edl.exec.internal.Age;
import dev.edl.exec.internal.PodTable;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a job stands at one moment.
 *
 * @param job the job's name
 * @param phase where it is
 * @param message why it is there; empty when there is nothing to say
 * @param startedAt when its first decision was made
 * @param endedAt when it ended
 * @param roles its roles, in the order of the plan
 * @param replicas the replicas whose objects exist, sorted by name with numbers as numbers
 * @param requestFailures the requests that fail now and are repeated, one for each cause, the oldest first
 * @param observedAge how old this view may be: zero while the job is driven and its place shows what is current, otherwise the time
 *     since the last observation that was decided by, or since the place showed what was current
 */
public record JobStatus(
        String job,
        JobPhase phase,
        String message,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        List<RoleStatus> roles,
        List<ReplicaStatus> replicas,
        List<RequestFailure> requestFailures,
        Duration observedAge) {
    /** Copies the lists. */
    public JobStatus {
        roles = List.copyOf(roles);
        replicas = List.copyOf(replicas);
        requestFailures = List.copyOf(requestFailures);
    }

    /** The replicas as {@code kubectl get pods} prints them. */
    public String table() {
        return PodTable.of(replicas);
    }

    /** Returns a line on the job (why it ended, or how many of each role run), the table, and a line for each trouble. */
    @Override
    public String toString() {
        String more = phase.ended()
                ? message
                : roles.stream().map(RoleStatus::toString).collect(Collectors.joining("; "));
        return "job " + job + " " + phase + ": " + more + "\n" + table()
                + (observedAge.isZero() ? "" : "last observed " + Age.of(observedAge) + " ago\n")
                + requestFailures.stream().map(failure -> failure + "\n").collect(Collectors.joining());
    }
}
