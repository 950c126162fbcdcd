package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds a job's status from its state and the last observation. */
final class JobStatusFactory {
    /** Matches a reason of one word, as Kubernetes sets it; only such a reason fits into the column STATUS. */
    private static final Pattern WORD = Pattern.compile("[A-Z][A-Za-z]+");

    private JobStatusFactory() {}

    static JobStatus of(
            JobPlan plan,
            JobState state,
            JobObservation seen,
            Instant now,
            List<RequestFailure> failures,
            Duration observedAge) {
        List<ReplicaStatus> rows = new ArrayList<>();
        for (ReplicaState replica : state.replicas().values()) {
            Optional<ObservedReplica> object = seen.replica(replica.name());
            boolean onItsWay = replica.stage() == ReplicaStage.PENDING && !replica.everObserved();
            if (object.isPresent() || onItsWay) {
                rows.add(row(replica, object, now));
            }
        }
        rows.sort(Comparator.comparing(JobStatusFactory::stem).thenComparing(ReplicaStatus::id));
        List<RoleStatus> roles =
                plan.roles().stream().map(role -> role(role, state)).toList();
        return new JobStatus(
                plan.name(),
                state.phase(),
                state.message(),
                state.startedAt(),
                state.endedAt(),
                roles,
                rows,
                failures.stream().map(failure -> advised(plan, state, failure)).toList(),
                observedAge);
    }

    /**
     * Returns a failure with the advice to scale its role down to the replicas that can be created. Returns it
     * unchanged if it is not a failed creation of replicas of one elastic role, if the bounds of the role forbid that
     * number, or if the job has ended.
     */
    static RequestFailure advised(JobPlan plan, JobState state, RequestFailure failure) {
        if (failure.request() != RequestFailure.Request.CREATE || state.phase().ended()) {
            return failure;
        }
        Set<RoleType> types = failure.replicas().stream()
                .map(name -> state.replicas().get(name))
                .flatMap(Stream::ofNullable)
                .map(ReplicaState::role)
                .collect(Collectors.toSet());
        if (types.size() != 1) {
            return failure;
        }
        RolePlan role = plan.role(types.iterator().next().id());
        int wanted = state.desired().getOrDefault(role.type(), role.replicas());
        int without = wanted - failure.replicas().size();
        return role.elastic() && role.bounds().contains(without)
                ? failure.advised("scale(\"" + role.type() + "\", " + without + ")")
                : failure;
    }

    private static String stem(ReplicaStatus row) {
        return row.name().replaceFirst("-[0-9]+$", "");
    }

    private static ReplicaStatus row(ReplicaState replica, Optional<ObservedReplica> object, Instant now) {
        boolean running = object.filter(o -> o.phase() == ObservedPhase.RUNNING).isPresent();
        return new ReplicaStatus(
                replica.name(),
                replica.role(),
                replica.id(),
                running ? "1/1" : "0/1",
                object.map(JobStatusFactory::word).orElse("Pending"),
                replica.restarts(),
                Duration.between(replica.createdAt(), now));
    }

    private static String word(ObservedReplica object) {
        return switch (object.phase()) {
            case SUCCEEDED -> "Completed";
            case FAILED, DISRUPTED ->
                object.reason().filter(reason -> WORD.matcher(reason).matches()).orElse("Error");
            case RUNNING -> object.terminating() ? "Terminating" : "Running";
            case BLOCKED ->
                object.terminating()
                        ? "Terminating"
                        : object.reason()
                                .filter(reason -> WORD.matcher(reason).matches())
                                .orElse("Pending");
            case PENDING -> object.terminating() ? "Terminating" : "Pending";
        };
    }

    private static RoleStatus role(RolePlan role, JobState state) {
        return new RoleStatus(
                role.type(),
                state.desired().getOrDefault(role.type(), role.replicas()),
                count(state, role, ReplicaStage.WAITING) + count(state, role, ReplicaStage.PENDING),
                count(state, role, ReplicaStage.RUNNING),
                count(state, role, ReplicaStage.SUCCEEDED),
                count(state, role, ReplicaStage.FAILED));
    }

    private static int count(JobState state, RolePlan role, ReplicaStage stage) {
        return state.replicas().count(role.type(), stage);
    }
}
