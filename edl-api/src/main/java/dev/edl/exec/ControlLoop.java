package dev.edl.exec;

import dev.edl.exec.RequestFailure.Request;
import dev.edl.exec.internal.ActionExecutor;
import dev.edl.exec.internal.HumanDuration;
import dev.edl.exec.internal.LoopRequestChecks;
import dev.edl.exec.internal.LoopState;
import dev.edl.exec.internal.PassThrottle;
import dev.edl.exec.internal.StateJournal;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import dev.edl.reconcile.ReplicaState;
import dev.edl.status.JobEvent;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Control loop that drives one job on one substrate. Each pass observes, decides, persists the new state and applies
 * the actions. A pass runs whenever something changes or a time is due.
 *
 * <pre>{@code
 * try (ControlLoop job = ControlLoop.of(plan, substrate).start()) {
 *     job.await(Duration.ofHours(2));
 * }
 * }</pre>
 *
 * <p>A failed request is retried after a growing pause ({@link RetryPolicy}), without limit, and does not end the job:
 *
 * <ul>
 *   <li>If a replica cannot be created or deleted, all other actions are still applied.
 *   <li>If the replicas cannot be observed, or the state cannot be persisted, no action is applied.
 *   <li>{@link JobStatus#requestFailures} has the failing requests and their causes.
 * </ul>
 *
 * <p>A {@link JobLostException}, an exception in the loop's own code or an {@link Error} ends the loop as lost: it
 * changes nothing, and the job continues. Otherwise it ends after the job, once no pass is due.
 */
public final class ControlLoop implements JobHandle {
    /** Number of reachability checks within one {@link ControlLoopBuilder#unreachableTimeout}. */
    private static final int LOOKS = 10;

    private final JobPlan plan;
    private final Substrate substrate;
    private final Reconciler reconciler;
    private final InstantSource clock;
    private final StateJournal journal;
    private final Optional<Duration> unreachable;
    private final FailureTracker failures;
    private final SubstrateRequestSender runner;
    private final PassThrottle throttle = new PassThrottle();
    private final EventLog log = new EventLog();
    private final LoopState shared;
    private final Subscription changes;
    private final ReentrantLock passes = new ReentrantLock();
    private volatile @Nullable LoopThread driver;
    private volatile @Nullable JobLostException lost;
    private volatile @Nullable Throwable failure;

    /** Start of the last pass; events of a lost loop have it, since the clock may be what failed. */
    private volatile Instant latest;

    /** Start of the last pass that observed the replicas and persisted its decision. */
    private volatile Instant observedAt;

    ControlLoop(ControlLoopBuilder options) {
        this.plan = options.plan;
        this.substrate = options.substrate;
        this.reconciler = options.reconciler;
        this.clock = options.clock;
        this.journal = new StateJournal(options.journal, options.lag, options.from);
        this.unreachable = options.unreachable;
        this.failures = new FailureTracker(plan.namespace() + "/" + plan.name(), options.retry);
        this.shared = new LoopState(options.from);
        this.runner = new SubstrateRequestSender(options, shared, failures);
        this.latest = options.from.startedAt().orElse(Instant.EPOCH);
        this.observedAt = clock.instant();
        options.listeners.forEach(log::listen);
        this.changes = substrate.onChange(plan.name(), shared::wake);
    }

    /** Returns a builder of a loop that drives a plan's job on a substrate. */
    public static ControlLoopBuilder of(JobPlan plan, Substrate substrate) {
        return new ControlLoopBuilder(plan, substrate);
    }

    /** Starts a daemon thread named {@code edl-<job>}, which makes all further passes. Call it once. */
    public void drive() {
        LoopThread thread = new LoopThread(plan.name(), this, shared);
        driver = thread;
        thread.start();
    }

    /**
     * Runs one pass on the calling thread: the loop's own, or any for a loop without one. Passes never overlap.
     *
     * <p>After a failed observation or write of the state, a call returns without a pass until the retry is due. An
     * exception in the loop's own code, as from a clock that fails, ends the loop as lost.
     *
     * @return the delay to the next pass if nothing changes before; empty if only a change makes one due
     */
    public Optional<Duration> step() {
        passes.lock();
        try {
            if (lost != null) {
                return Optional.empty();
            }
            latest = clock.instant();
            checkReachable(latest);
            Optional<Duration> pause = failures.pause(latest);
            return pause.isPresent() ? sooner(pause, reachableFor(latest)) : pass(latest);
        } catch (JobLostException e) {
            return lost(e);
        } catch (RuntimeException e) {
            fail(e);
            return Optional.empty();
        } catch (Error e) {
            fail(e);
            throw e;
        } finally {
            passes.unlock();
        }
    }

    /** Returns the time for which the thread rests after the last pass; only a request of the caller shortens it. */
    Duration rest() {
        return throttle.pause();
    }

    /** Returns whether the job has ended, no replica is terminating and no further pass is due. */
    public boolean finished() {
        return shared.finished();
    }

    /** Returns whether this loop ended as lost; the event {@link JobEvent.Type#JOB_LOST} has the reason. */
    public boolean lost() {
        return lost != null;
    }

    /** Returns the exception or error in the loop's own code by which it ended as lost; empty otherwise. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Returns the job's state, from which {@link ControlLoopBuilder#from} continues the job in another loop. */
    public JobState state() {
        return shared.snapshot().state();
    }

    private Optional<Duration> pass(Instant now) {
        List<JobEvent> events = new ArrayList<>();
        try {
            Optional<Duration> wake =
                    deletions(shared.begin(), now, events) ? decideAndApply(now, events) : Optional.empty();
            Instant end = clock.instant();
            checkReachable(end);
            Optional<Duration> due =
                    failures.pause(end).or(() -> sooner(sooner(wake, journal.due(now)), failures.next(now, end)));
            events.forEach(log::publish);
            events.clear();
            shared.end(due.isEmpty() && state().phase().ended() && nothingLeaves());
            return state().phase().ended() ? due : sooner(due, reachableFor(end));
        } finally {
            events.forEach(log::publish);
        }
    }

    private Optional<Duration> decideAndApply(Instant now, List<JobEvent> events) {
        long began = System.nanoTime();
        Optional<JobObservation> found =
                runner.attempt(Request.OBSERVE, now, events, () -> failures.holds(substrate.observe(plan)));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Decision decision = reconciler.reconcile(plan, state(), found.get(), now);
        throttle.recordPass(found.get().size(), Duration.ofNanos(System.nanoTime() - began));
        Optional<Boolean> persisted = runner.attempt(Request.PERSIST, now, events, () -> {
            if (!decision.actions().isEmpty()) {
                substrate.prepare(plan, decision.actions());
            }
            journal.record(decision, now);
            return true;
        });
        if (persisted.isEmpty()) {
            // The next observation may lack these objects.
            shared.edit(state -> state.withObserved(found.get()));
            return Optional.empty();
        }
        shared.publish(decision.next(), found.get());
        observedAt = now;
        events.addAll(decision.events());
        failures.retain((request, subject) -> wanted(request, subject, decision.next(), found.get()));
        ActionExecutor.groups(decision).forEach(group -> runner.apply(group, now, events));
        return decision.wakeAfter();
    }

    /** Returns whether a request that failed is still needed after a decision; otherwise its failure is forgotten. */
    private boolean wanted(Request request, String subject, JobState next, JobObservation found) {
        ReplicaState replica = next.replicas().get(subject);
        return switch (request) {
            case CREATE ->
                replica != null
                        && (replica.stage() == ReplicaStage.WAITING
                                || (replica.stage() == ReplicaStage.PENDING && !replica.everObserved()));
            case DELETE ->
                found.replica(subject).filter(seen -> !seen.terminating()).isPresent()
                        || (replica != null && replica.stage() == ReplicaStage.REMOVED && !replica.everObserved())
                        || shared.deletes(subject);
            case COLLECT -> !next.collected();
            case OBSERVE, PERSIST -> true;
        };
    }

    private static <T extends Comparable<T>> Optional<T> sooner(Optional<T> one, Optional<T> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    private Optional<Instant> unreachableSince() {
        return sooner(failures.unreachableSince(), substrate.staleSince());
    }

    private void checkReachable(Instant now) {
        if (unreachable.isEmpty()) {
            return;
        }
        Duration limit = unreachable.get();
        if (unreachableSince().filter(since -> !since.plus(limit).isAfter(now)).isPresent()) {
            throw new JobLostException("its substrate was unreachable for " + HumanDuration.of(limit)
                    + ", the unreachableTimeout"
                    + failures.requestFailures(now).stream()
                            .filter(requestFailure -> requestFailure.replicas().isEmpty())
                            .findFirst()
                            .map(requestFailure -> ": " + requestFailure)
                            .orElse("")
                    + "; the job and its replicas were not changed");
        }
    }

    /** Returns the delay to the next reachability check; empty without an unreachable timeout. */
    private Optional<Duration> reachableFor(Instant now) {
        return unreachable.map(limit -> unreachableSince()
                .map(since -> Duration.between(now, since.plus(limit)))
                .filter(left -> !left.isNegative())
                .orElse(limit.dividedBy(LOOKS).plusMillis(1)));
    }

    private boolean nothingLeaves() {
        return shared.snapshot().seen().replicas().stream().noneMatch(ObservedReplica::terminating);
    }

    /** Makes requested deletions; defers failed ones. Returns whether the states that record them were persisted. */
    private boolean deletions(List<LoopState.Deletion> asked, Instant now, List<JobEvent> events) {
        boolean persisted = true;
        for (LoopState.Deletion one : asked) {
            if (!persisted || failures.held(Request.DELETE, one.replica(), now)) {
                shared.deferDeletion(one);
                continue;
            }
            // Persisted first: a replica that vanishes unobserved would otherwise be created again.
            JobState next = one.tried() ? state() : state().withObserved(one.replica());
            persisted = runner.attempt(Request.PERSIST, now, events, () -> {
                        journal.write(next);
                        shared.edit(state -> next);
                        return true;
                    })
                    .isPresent();
            LoopState.Deletion deletion = one.in(next);
            if (!persisted || !runner.apply(List.of(deletion.action()), now, events)) {
                shared.deferDeletion(deletion);
            }
        }
        return persisted;
    }

    /** Ends this loop as lost. The job continues: the loop neither changes it nor reports its end. */
    private Optional<Duration> lost(JobLostException cause) {
        lost = cause;
        stop();
        log.publish(JobEvent.job(latest, JobEvent.Type.JOB_LOST, String.valueOf(cause.getMessage())));
        return Optional.empty();
    }

    /** Ends the loop as lost after an exception in its own code. Another loop can continue the job. */
    void fail(Throwable cause) {
        if (lost == null) {
            failure = cause;
            lost(new JobLostException(
                    "its loop failed: " + cause + "; the job and its replicas were not changed", cause));
        }
    }

    @Override
    public JobPlan plan() {
        return plan;
    }

    @Override
    public JobStatus status() {
        LoopState.Snapshot at = shared.snapshot();
        Instant now = clock.instant();
        return JobStatusFactory.of(plan, at.state(), at.seen(), now, failures.requestFailures(now), age(now));
    }

    private Duration age(Instant now) {
        boolean current = lost == null && failures.unreachableSince().isEmpty();
        return sooner(current ? Optional.empty() : Optional.of(observedAt), substrate.staleSince())
                .map(since -> Duration.between(since, now))
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
    }

    @Override
    public Optional<String> whyPending(String replica) {
        LoopState.Snapshot at = shared.snapshot();
        Instant now = clock.instant();
        return new PendingReason(plan, at.state(), at.seen(), failures.requestFailures(now), now).of(replica);
    }

    @Override
    public void scale(String role, int replicas) {
        RolePlan scaled = LoopRequestChecks.scalable(plan, role, replicas);
        refuseEnded();
        taken("scaled", shared.request(state -> state.withDesired(scaled.type(), replicas)));
    }

    /**
     * Sets exactly which replica ids a role has, for a scaler that chooses them itself. The loop creates missing
     * replicas and removes all others, until the next {@link #scale}.
     *
     * @param role the id of a role whose replicas keep their ids when they are relaunched; it need not be elastic
     * @param change maps the current ids of the role to its new ids, at least one; called once, by the next pass
     * @throws IllegalArgumentException when the job has no such role, or its relaunched replicas get new ids
     * @throws IllegalStateException when the job has ended, or this loop no longer drives it
     */
    public void pinReplicas(String role, UnaryOperator<SortedSet<Integer>> change) {
        RolePlan of = LoopRequestChecks.keepingIds(plan, role);
        refuseEnded();
        taken(
                "scaled",
                shared.request(state ->
                        state.withPinnedIds(of.type(), change.apply(LoopRequestChecks.ids(state, of.type())))));
    }

    /**
     * Checks that {@link #scale} would accept a number of replicas for a role.
     *
     * @throws IllegalArgumentException when the job has no such role, it is not elastic, or the number is out of bounds
     * @throws IllegalStateException when the job has ended, or this loop no longer drives it
     */
    public void checkScale(String role, int replicas) {
        LoopRequestChecks.scalable(plan, role, replicas);
        refuseEnded();
        taken("scaled", !shared.closed());
    }

    /** Emits an event of work outside of the loop; calls the listeners at once on the calling thread. */
    public void emitEvent(JobEvent.Type type, String message) {
        log.publish(JobEvent.job(clock.instant(), type, message));
    }

    @Override
    public void delete(String replica) {
        refuseEnded();
        SortedMap<String, String> names = new TreeMap<>();
        status().replicas().forEach(r -> names.put(r.role().replica(r.id()), r.name()));
        // Created, but not observed yet.
        state().replicas().values().stream()
                .filter(r -> r.stage() == ReplicaStage.PENDING || r.stage() == ReplicaStage.RUNNING)
                .forEach(r -> names.put(r.role().replica(r.id()), r.name()));
        String name = LoopRequestChecks.replica(plan, replica, names);
        taken("asked to delete " + name, shared.requestDeletion(name));
    }

    private void taken(String what, boolean taken) {
        if (!taken) {
            throw new IllegalStateException("job \"" + plan.name() + "\" cannot be " + what
                    + ": its handle is closed, so this program no longer drives the job");
        }
    }

    private void refuseEnded() {
        JobState state = state();
        if (state.phase().ended()) {
            throw new IllegalStateException(
                    "job \"" + plan.name() + "\" has ended: " + state.phase() + ", " + state.message());
        }
    }

    @Override
    public void cancel() {
        if (!state().phase().ended()) {
            taken("cancelled", shared.request(JobState::withCancelled));
        }
    }

    @Override
    public void suspend() {
        refuseEnded();
        taken("suspended", shared.request(state -> state.withSuspended(true)));
    }

    @Override
    public void resume() {
        refuseEnded();
        taken("resumed", shared.request(state -> state.withSuspended(false)));
    }

    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        if (shared.awaitEnd(limit)) {
            return status();
        }
        if (shared.closed()) {
            JobLostException why = lost;
            if (why != null) {
                throw new JobLostException(
                        "job \"" + plan.name() + "\" is no longer driven by this handle: " + why.getMessage(), why);
            }
            throw new IllegalStateException(
                    "job \"" + plan.name() + "\" is no longer driven: its handle was closed before the job ended");
        }
        throw new AwaitTimeoutException(plan, status(), limit);
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        return log.listen(listener);
    }

    @Override
    public List<JobEvent> events() {
        return log.all();
    }

    /** Starts no further pass and returns at once. A running pass continues, and {@link #close} waits for it. */
    public void stop() {
        if (shared.close()) {
            changes.close();
        }
    }

    @Override
    public void close() {
        stop();
        LoopThread thread = driver;
        if (thread != null) {
            thread.join();
        } else {
            keepRest();
        }
    }

    /**
     * Makes the requested deletions of a closed loop and writes its last state to the journal, with requests that the
     * job's next driver applies. If that fails, an event reports it. Does nothing if the loop is lost.
     */
    void keepRest() {
        List<JobEvent> events = new ArrayList<>();
        passes.lock();
        try {
            if (lost == null) {
                deletions(shared.begin(), latest, events);
                journal.flush(state());
            }
        } catch (JobLostException e) {
            lost(e);
        } catch (RuntimeException e) {
            String why = "could not persist requests and observations before the job's handle was closed: " + e;
            events.add(JobEvent.job(latest, JobEvent.Type.SUBSTRATE_FAILED, why));
        } finally {
            passes.unlock();
        }
        events.forEach(log::publish);
    }

    /** Returns the job's status as text. */
    @Override
    public String toString() {
        return status().toString();
    }
}
