package dev.edl.exec;

import dev.edl.exec.internal.HumanDuration;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
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
 * @param startedAt the time of the job's first reconcile decision; empty before
 * @param endedAt the time of the job's end; empty before
 * @param roles status of each role, in the order of the plan
 * @param replicas the replicas whose objects exist or were just requested, sorted by name and id: {@code worker-2}
 *     before {@code worker-10}
 * @param requestFailures the requests that currently fail and are retried, with one entry for each cause, oldest first
 * @param observedAge the age that this status may have: zero while the job is driven and its substrate is current.
 *     Otherwise the time since the last pass that observed the replicas and persisted its decision, or since the
 *     substrate was current
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

    /**
     * Returns the status of a job from its persisted state and an observation of its replicas, for a program that does
     * not drive the job. It has no request failures.
     *
     * @param now time of the observation
     */
    public static JobStatus of(JobPlan plan, JobState state, JobObservation seen, Instant now) {
        return JobStatusFactory.of(plan, state, seen, now, List.of(), Duration.ZERO);
    }

    /** Returns the replicas as a table like that of {@code kubectl get pods}. */
    public String table() {
        return KubectlTable.of(replicas);
    }

    /**
     * Returns jobs as a table like that of {@code kubectl get}: name, phase, running and desired replicas of all roles,
     * and age.
     *
     * @param now time at which the ages are given
     */
    public static String table(List<JobStatus> jobs, Instant now) {
        return KubectlTable.ofJobs(jobs, now);
    }

    /**
     * Returns a summary line, the table, and one line for each request failure. The summary has the reason of the job's
     * end, or while it has not ended the numbers of replicas of each role.
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
