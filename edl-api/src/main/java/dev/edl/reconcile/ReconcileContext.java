package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Context of one reconcile pass: the inputs that the rules read and the decision that they build. */
final class ReconcileContext {
    /**
     * A replica that was observed to end without success.
     *
     * @param replica state of the replica after its end
     * @param fromOutside whether the replica was deleted or ended by its node; false for any other end, even a kill
     *     with a free exit code
     */
    record Failure(ReplicaState replica, boolean fromOutside) {}

    /** Least time between two equal requests. An observation may not show the effect of the first one yet. */
    static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    /** Longest lag of an observation. A replica that was requested and not observed within this time does not exist. */
    static final Duration LAG = Duration.ofSeconds(30);

    final JobPlan plan;
    final Instant now;
    private final JobObservation seen;
    private final ReplicaStates.Editor replicas;
    private final Map<RoleType, Integer> nextIds;

    /** Names of objects that are new, changed or gone since the observation with which the state was compared. */
    private final Set<String> changedObjects;

    /** Whether every replica is checked, because the observation that the state was compared with is unknown. */
    private final boolean all;

    private final boolean settles;

    /** Whether a replica's object may be force-deleted when its node does not respond. */
    final boolean forceDelete;

    private boolean strange;
    private final List<Failure> failures = new ArrayList<>();
    private final List<Action> actions = new ArrayList<>();
    private final List<JobEvent> events = new ArrayList<>();
    private ImmutableJobState job;
    private Optional<Instant> wake = Optional.empty();

    /**
     * Creates the context of one reconcile pass.
     *
     * @param settles whether replicas may be marked as settled, so that the next reconcile pass skips them
     * @param forceDelete whether a replica's object may be force-deleted when its node does not respond
     */
    ReconcileContext(
            JobPlan plan, JobState state, JobObservation seen, Instant now, boolean settles, boolean forceDelete) {
        this.settles = settles;
        this.forceDelete = forceDelete;
        this.plan = plan;
        this.now = now;
        this.seen = seen;
        this.replicas = state.replicas().edit();
        JobObservation compared = state.replicas().compared();
        this.changedObjects = seen.differing(compared == null ? JobObservation.nothing() : compared);
        this.all = compared == null;
        this.nextIds = new HashMap<>(state.nextIds());
        this.job = ImmutableJobState.copyOf(state);
        if (state.startedAt().isEmpty()) {
            job = job.withStartedAt(now);
        }
    }

    /** Returns a time plus a duration, at most {@link Instant#MAX}. */
    static Instant later(Instant from, Duration wait) {
        return wait.compareTo(Duration.between(from, Instant.MAX)) > 0 ? Instant.MAX : from.plus(wait);
    }

    boolean ended() {
        return job.phase().ended();
    }

    boolean suspended() {
        return job.phase() == JobPhase.SUSPENDED;
    }

    JobState job() {
        return job;
    }

    void job(ImmutableJobState next) {
        job = next;
    }

    int desired(RoleType role) {
        return job.desired().getOrDefault(role, 0);
    }

    /**
     * Returns a new list of all replicas in the order of their creation, so that rules may change replicas while they
     * iterate.
     */
    List<ReplicaState> replicas() {
        return replicas.all(r -> true);
    }

    List<ReplicaState> replicas(RoleType role, Predicate<ReplicaState> which) {
        return replicas.all(r -> r.role() == role && which.test(r));
    }

    /**
     * Returns a new list of the open replicas that match a condition, in the order of their creation.
     *
     * <p>A replica is open until {@link ObservationRule} marks it as settled. So it is open while it waits, was not
     * observed, cannot start, has failed, is to be deleted or has a drain notice.
     */
    List<ReplicaState> open(Predicate<ReplicaState> which) {
        return replicas.open(which);
    }

    /**
     * Returns a new list of the replicas that this pass must check, in the order of their creation: open replicas and
     * those whose objects changed.
     */
    List<ReplicaState> unsettled() {
        return all ? replicas() : replicas.openAnd(changedObjects);
    }

    /**
     * Marks a replica as settled: the next reconcile pass skips it unless its object changes. No effect if settling is
     * off.
     */
    void markSettled(ReplicaState replica) {
        if (settles) {
            replicas.settle(replica.name());
        }
    }

    int count(RoleType role, ReplicaStage stage) {
        return replicas.count(role, stage);
    }

    @Nullable
    ReplicaState replica(String name) {
        return replicas.get(name);
    }

    /** Returns the observed objects that are new or changed since the observation with which the state was compared. */
    List<ObservedReplica> changedObjects() {
        return changedObjects.stream()
                .map(seen::get)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /**
     * Returns the new or changed objects that match a condition and whose names belong to no replica. If any exist, the
     * next reconcile pass compares all objects again.
     */
    List<ObservedReplica> unknownObjects(Predicate<ObservedReplica> which) {
        List<ObservedReplica> strangers = changedObjects().stream()
                .filter(r -> replica(r.name()) == null && which.test(r))
                .sorted(Comparator.comparing(r -> seen.slot(r.name())))
                .toList();
        strange = !strangers.isEmpty();
        return strangers;
    }

    /** Returns the observed objects that belong to no known replica. */
    List<ObservedReplica> unknown() {
        return seen.replicas().stream().filter(r -> replica(r.name()) == null).toList();
    }

    /** Returns the observed replicas whose node has a notice. */
    List<ObservedReplica> noticed() {
        return seen.noticedCount() == 0
                ? List.of()
                : seen.replicas().stream().filter(r -> r.notice().isPresent()).toList();
    }

    @Nullable
    ObservedReplica seen(String name) {
        return seen.get(name);
    }

    RolePlan role(ReplicaState replica) {
        return plan.role(replica.role().id());
    }

    /** Returns whether a replica leads the job: it has index 0 in the leading role. */
    boolean leads(ReplicaState replica) {
        return replica.index() == 0 && plan.leader().type() == replica.role();
    }

    void put(ReplicaState replica) {
        replicas.put(replica);
    }

    void forget(ReplicaState replica) {
        replicas.remove(replica.name());
    }

    /** Returns the size in bytes of all replicas' messages as JSON, or slightly more. */
    long messageBytes() {
        return replicas.messageBytes();
    }

    /** Returns the number of replicas of a role that occupy a slot. */
    int occupiedSlots(RoleType role) {
        int places = 0;
        for (ReplicaStage stage : ReplicaStage.values()) {
            places += stage.occupiesSlot() ? count(role, stage) : 0;
        }
        return places;
    }

    void recordFailure(ReplicaState replica, boolean deleted) {
        failures.add(new Failure(replica, deleted));
    }

    /** Returns the replicas that were observed to end without success in this reconcile. */
    List<Failure> failures() {
        return List.copyOf(failures);
    }

    /** Takes the next unused id of a role. */
    int takeId(RoleType role) {
        int id = nextIds.getOrDefault(role, 0);
        nextIds.put(role, id + 1);
        return id;
    }

    void markIdUsed(RoleType role, int id) {
        nextIds.merge(role, id + 1, Math::max);
    }

    void create(ReplicaState replica) {
        actions.add(new Action.CreateReplica(plan.replica(replica.role(), replica.id(), replica.index())));
    }

    void delete(String replica, String why) {
        actions.add(new Action.DeleteReplica(replica, observed(replica), why, true));
    }

    /** Deletes a replica's object without waiting for its node to confirm the end. */
    void deleteByForce(String replica, String why) {
        actions.add(new Action.DeleteReplica(replica, observed(replica), why, false));
    }

    /** Returns the uid of the observed object, as the precondition of its deletion. */
    private Optional<String> observed(String replica) {
        ObservedReplica object = seen.get(replica);
        return object == null ? Optional.empty() : object.uid();
    }

    void collect() {
        actions.add(new Action.CollectJob(plan.name()));
    }

    /**
     * Returns whether a replica's creation may be requested now. If not, schedules a reconcile pass for the time at
     * which it may.
     *
     * @param asked time of the last request to create or delete the replica
     */
    boolean mayCreate(String replica, Optional<Instant> asked) {
        return due(asked, seen.creations().get(replica));
    }

    /**
     * Returns whether a deletion may be requested now. If not, schedules a reconcile pass for the time at which it may.
     *
     * @param subject a replica's name, or the job's name for the deletion of all its objects
     * @param asked time of the last request that concerned the subject
     */
    boolean mayDelete(String subject, Optional<Instant> asked) {
        return due(asked, seen.deletions().get(subject));
    }

    private boolean due(Optional<Instant> asked, @Nullable Instant held) {
        Instant next = asked.map(at -> at.plus(ASK_AGAIN)).orElse(now);
        Instant due = held != null && held.isAfter(next) ? held : next;
        if (due.isAfter(now)) {
            wakeAt(due);
            return false;
        }
        return true;
    }

    /** Returns the number of replicas of a role that do not exist because the substrate refuses to create them. */
    int refused(RoleType role) {
        return open(r -> r.role() == role
                        && (r.stage() == ReplicaStage.WAITING
                                || (r.stage() == ReplicaStage.PENDING && !r.everObserved()))
                        && seen.creations().containsKey(r.name()))
                .size();
    }

    void event(JobEvent.Type type, String message) {
        events.add(JobEvent.job(now, type, message));
    }

    void event(JobEvent.Type type, ReplicaState replica, String message) {
        events.add(JobEvent.replica(now, type, replica.name(), message));
    }

    void wakeAt(Instant time) {
        if (wake.isEmpty() || time.isBefore(wake.get())) {
            wake = Optional.of(time);
        }
    }

    /** Sets the job's final phase and emits its event; has no effect on an ended job. */
    void end(JobPhase phase, JobEvent.Type type, String message) {
        if (!ended()) {
            job = job.withPhase(phase).withMessage(message).withEndedAt(now);
            event(type, message);
        }
    }

    Decision decision() {
        ReplicaMessageBudget.apply(this);
        // Unknown objects are not part of the state: with them, the next reconcile compares everything again.
        ReplicaStates known = replicas.replicas(strange ? null : seen);
        ImmutableJobState next = job.withReplicas(known).withNextIds(nextIds);
        Optional<Duration> after = wake.map(time -> time.isAfter(now) ? Duration.between(now, time) : Duration.ZERO);
        return new Decision(actions, next, events, after);
    }
}
