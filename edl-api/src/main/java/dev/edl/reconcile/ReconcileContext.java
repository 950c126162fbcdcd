package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.internal.ReplicaFailure;
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

/** One decision in the making: what the policies read, and what they add to. Lives for one call. */
final class ReconcileContext {
    /** A substrate is not asked the same thing more often than this, since an observation may lag behind its effect. */
    static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    /** An observation is at most this old: what was asked for and never seen in this time was not made. */
    static final Duration LAG = Duration.ofSeconds(30);

    final JobPlan plan;
    final Instant now;
    private final Observed seen;
    private final Replicas.Editor replicas;
    private final Map<RoleType, Integer> nextIds;

    /** The names of what was not seen before, or is seen otherwise than before, or no longer. */
    private final Set<String> changedObjects;

    /** Whether everything has to be looked at: what this state was compared with is not known. */
    private final boolean all;

    private final boolean settles;

    /** Whether an object may be removed whose machine does not answer. */
    final boolean forceDelete;

    private boolean strange;
    private final List<ReplicaFailure> failures = new ArrayList<>();
    private final List<Action> actions = new ArrayList<>();
    private final List<JobEvent> events = new ArrayList<>();
    private ImmutableJobState job;
    private Optional<Instant> wake = Optional.empty();

    /**
     * Begins.
     *
     * @param settles whether replicas may be closed, so that the next decision need not look at them
     * @param forceDelete whether an object may be removed whose machine does not answer
     */
    ReconcileContext(JobPlan plan, JobState state, Observed seen, Instant now, boolean settles, boolean forceDelete) {
        this.settles = settles;
        this.forceDelete = forceDelete;
        this.plan = plan;
        this.now = now;
        this.seen = seen;
        this.replicas = state.replicas().edit();
        Observed compared = state.replicas().compared();
        this.changedObjects = seen.differing(compared == null ? Observed.nothing() : compared);
        this.all = compared == null;
        this.nextIds = new HashMap<>(state.nextIds());
        this.job = ImmutableJobState.copyOf(state);
        if (state.startedAt().isEmpty()) {
            job = job.withStartedAt(now);
        }
    }

    /** A time after another; the last there is when it would come later still. */
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

    /** The replicas in the order of their creation; a copy, so that policies may change what they walk over. */
    List<ReplicaState> replicas() {
        return replicas.all(r -> true);
    }

    List<ReplicaState> replicas(RoleType role, Predicate<ReplicaState> which) {
        return replicas.all(r -> r.role() == role && which.test(r));
    }

    /**
     * Those that are open and fulfil a condition, in the order of their creation; a copy. All are open that wait for something, have
     * failed, leave, or have a notice: see {@link ObservationRule}.
     */
    List<ReplicaState> open(Predicate<ReplicaState> which) {
        return replicas.open(which);
    }

    /** Those that may be otherwise than they were known to be, in the order of their creation; a copy. */
    List<ReplicaState> unsettled() {
        return all ? replicas() : replicas.openAnd(changedObjects);
    }

    /** Says that a look at a replica changes nothing as long as it is seen as it is now: it is open no more. */
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

    /** What is seen for the first time, or otherwise than before. */
    List<ObservedReplica> changedObjects() {
        return changedObjects.stream()
                .map(seen::get)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** What is seen and not known and fulfils a condition: each is looked at again at the next decision, too. */
    List<ObservedReplica> unknownObjects(Predicate<ObservedReplica> which) {
        List<ObservedReplica> strangers = changedObjects().stream()
                .filter(r -> replica(r.name()) == null && which.test(r))
                .sorted(Comparator.comparing(r -> seen.slot(r.name())))
                .toList();
        strange = !strangers.isEmpty();
        return strangers;
    }

    /** What is seen and not known. */
    List<ObservedReplica> unknown() {
        return seen.replicas().stream().filter(r -> replica(r.name()) == null).toList();
    }

    /** Those whose machine is about to go. */
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

    /** Whether a replica leads the job: the leading role's one, or in a role of many the one with index 0. */
    boolean leads(ReplicaState replica) {
        return replica.index() == 0 && plan.leader().type() == replica.role();
    }

    void put(ReplicaState replica) {
        replicas.put(replica);
    }

    void forget(ReplicaState replica) {
        replicas.remove(replica.name());
    }

    /** What the messages of all replicas take. */
    long messageBytes() {
        return replicas.messageBytes();
    }

    /** How many replicas of a role fill a place. */
    int occupiedSlots(RoleType role) {
        int places = 0;
        for (ReplicaStage stage : ReplicaStage.values()) {
            places += stage.occupiesSlot() ? count(role, stage) : 0;
        }
        return places;
    }

    void recordFailure(ReplicaState replica, boolean deleted) {
        failures.add(new ReplicaFailure(replica, deleted));
    }

    /** The replicas that were found to have ended without success, and for which nothing was decided yet. */
    List<ReplicaFailure> failures() {
        return List.copyOf(failures);
    }

    /** The next id of a role that was never used. */
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

    /** Removes a replica's object without waiting for its machine to confirm it. */
    void deleteByForce(String replica, String why) {
        actions.add(new Action.DeleteReplica(replica, observed(replica), why, false));
    }

    /** The uid of the object that a decision was made about. */
    private Optional<String> observed(String replica) {
        ObservedReplica object = seen.get(replica);
        return object == null ? Optional.empty() : object.uid();
    }

    void collect() {
        actions.add(new Action.CollectJob(plan.name()));
    }

    /** Returns whether a replica's creation may be requested now; when not, the next decision is due when it may. */
    boolean mayCreate(String replica, Optional<Instant> asked) {
        return due(asked, seen.creations().get(replica));
    }

    /**
     * Returns whether a deletion may be requested now; when not, the next decision is due when it may.
     *
     * @param subject a replica's name, or the job's for its collection
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

    /** Returns how many replicas of a role do not exist because the substrate refuses to create them. */
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

    /** Ends the job; the first end counts. */
    void end(JobPhase phase, JobEvent.Type type, String message) {
        if (!ended()) {
            job = job.withPhase(phase).withMessage(message).withEndedAt(now);
            event(type, message);
        }
    }

    Decision decision() {
        MessageBudget.apply(this);
        // Strangers are no part of the state: with them, all is compared again.
        Replicas known = replicas.replicas(strange ? null : seen);
        ImmutableJobState next = job.withReplicas(known).withNextIds(nextIds);
        Optional<Duration> after = wake.map(time -> time.isAfter(now) ? Duration.between(now, time) : Duration.ZERO);
        return new Decision(actions, next, events, after);
    }
}
