package dev.edl.exec;

import dev.edl.exec.internal.HumanDuration;
import dev.edl.exec.internal.LoopRequestChecks;
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
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the reason why a replica does not run yet, from the state, observation and request failures of its job. */
final class PendingReason {
    private final JobPlan plan;
    private final JobState state;
    private final JobObservation seen;
    private final List<RequestFailure> failures;
    private final Instant now;

    PendingReason(JobPlan plan, JobState state, JobObservation seen, List<RequestFailure> failures, Instant now) {
        this.plan = plan;
        this.state = state;
        this.seen = seen;
        this.failures = failures;
        this.now = now;
    }

    /**
     * Returns why a replica does not run yet; empty when it runs or has ended. For an unknown replica while the
     * replicas cannot be observed or the state cannot be persisted, returns that failure.
     *
     * @param word short or full name of the replica
     * @throws IllegalArgumentException when the job has no such replica, and no such failure
     */
    Optional<String> of(String word) {
        SortedMap<String, String> names = new TreeMap<>();
        state.replicas().values().forEach(r -> names.put(r.role().replica(r.id()), r.name()));
        boolean known = names.containsKey(word) || names.containsValue(word);
        if (!known && ofJob().isPresent()) {
            // The replica may have been requested, while the decision to create it is blocked by this failure.
            return ofJob();
        }
        ReplicaState replica = state.replicas().get(LoopRequestChecks.replica(plan, word, names));
        return replica == null ? Optional.empty() : of(replica);
    }

    private Optional<String> of(ReplicaState replica) {
        if (replica.stage() != ReplicaStage.WAITING && replica.stage() != ReplicaStage.PENDING) {
            return Optional.empty();
        }
        Optional<String> refused = failures.stream()
                .filter(failure -> failure.replicas().contains(replica.name()))
                .findFirst()
                .map(failure -> JobStatusFactory.advised(plan, state, failure).why());
        ObservedReplica object = seen.replica(replica.name()).orElse(null);
        return refused.or(() -> replica.stage() == ReplicaStage.WAITING
                ? Optional.of(waits(replica, object))
                : pending(replica, object));
    }

    private Optional<String> pending(ReplicaState replica, @Nullable ObservedReplica object) {
        if (object != null && object.phase() != ObservedPhase.PENDING && object.phase() != ObservedPhase.BLOCKED) {
            return Optional.empty();
        }
        Optional<String> why = object == null ? Optional.empty() : object.describe();
        return why.or(this::ofJob)
                .or(() -> Optional.of(
                        object == null
                                ? "was created " + age(replica.createdAt()) + " ago and is not observed yet"
                                : "has been starting for " + age(replica.createdAt())));
    }

    private String waits(ReplicaState replica, @Nullable ObservedReplica object) {
        if (state.suspendRequested()) {
            return "waits for resume(): the job is suspended";
        }
        if (object != null) {
            return replica.message().orElse("waits until its predecessor of the same name is gone")
                    + object.describe().map(words -> ": " + words).orElse("");
        }
        Optional<Instant> backoff = replica.backoffUntil().filter(until -> until.isAfter(now));
        return backoff.map(until -> "waits " + HumanDuration.of(Duration.between(now, until))
                        + " more before its relaunch, " + delay(replica))
                .or(() -> plan.startsAfter(replica.role()).flatMap(this::behind))
                .or(this::ofJob)
                .orElse("is about to be created");
    }

    private static String delay(ReplicaState replica) {
        int retries = replica.retries();
        return retries == 0
                ? "because of its backoff"
                : "as its predecessor requested a retry" + (retries == 1 ? "" : ", " + retries + " times in a row");
    }

    private Optional<String> behind(RoleType first) {
        RolePlan role = plan.role(first.id());
        int running = state.replicas().count(first, ReplicaStage.RUNNING);
        int wanted = state.desired().getOrDefault(first, role.replicas());
        return running >= wanted
                ? Optional.empty()
                : Optional.of("waits for every " + first + " to run: " + running + " of " + wanted + " do");
    }

    private Optional<String> ofJob() {
        return failures.stream()
                .filter(failure -> failure.request() == RequestFailure.Request.OBSERVE
                        || failure.request() == RequestFailure.Request.PERSIST)
                .findFirst()
                .map(RequestFailure::toString);
    }

    private String age(Instant since) {
        return HumanDuration.of(Duration.between(since, now));
    }
}
