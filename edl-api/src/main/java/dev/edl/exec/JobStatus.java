package dev.edl.exec;

import dev.edl.exec.internal.HumanDuration;
import dev.edl.exec.internal.KubectlTable;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Status of a job at one moment.
 *
 * @param job the job's name
 * @param phase the job's phase
 * @param message the reason of the phase; empty when there is none
 * @param startedAt the time of its first decision
 * @param endedAt the time of its end
 * @param roles its roles, in the order of the plan
 * @param replicas the replicas whose objects exist, sorted by name with numbers as numbers
 * @param requestFailures the requests that currently fail and are retried, one for each cause, oldest first
 * @param observedAge the possible age of this status: zero while the job is driven and its substrate is current.
 *     Otherwise the time since the last observation with a decision, or since the substrate was current
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

    /** Returns the replicas as a table like that of {@code kubectl get pods}. */
    public String table() {
        return KubectlTable.of(replicas);
    }

    /**
     * Returns a summary line, the table, and one line for each request failure. The summary has the reason of the end,
     * or the number of running replicas of each role.
     */
    @Override
    public String toString() {
        String more = phase.ended()
                ? message
                : roles.stream().map(RoleStatus::toString).collect(Collectors.joining("; "));
        return "job " + job + " " + phase + ": " + more + "\n" + table()
                + (observedAge.isZero() ? "" : "last observed " + HumanDuration.of(observedAge) + " ago\n")
                + requestFailures.stream().map(failure -> failure + "\n").collect(Collectors.joining());
    }
}
