package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobEvent;
import dev.edl.reconcile.JobPhase;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Observed;
import dev.edl.reconcile.ObservedReplica;
import dev.edl.reconcile.Reconciler;
import dev.edl.reconcile.ReplicaStage;
import dev.edl.reconcile.ReplicaState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Drives one job on one substrate: observe, decide, keep the new state, apply; again whenever something changes or a time has
 * come.
 *
 * <pre>{@code
 * try (ControlLoop job = ControlLoop.of(plan, substrate).start()) {
 *     job.await(Duration.ofHours(2));
 * }
 * }</pre>
 *
 * <p>A substrate that throws is asked again after a pause ({@link Patience}); when the same request has failed too often in a
 * row, the job fails and says why. One that throws {@link JobLostException} ends the loop, and not the job. The loop ends by
 * itself once the job has ended and nothing is left to do for it.
 */
public final class ControlLoop implements JobHandle {
    /** More actions than that take so long that a request does not wait for them. */
    private static final int MANY = 50;

    /** Creations that take so long are told to have been asked for at their end. */
    private static final Duration LONG = Duration.ofMillis(500);

    private final JobPlan plan;
    private final Substrate substrate;
    private final Reconciler reconciler;
    private final InstantSource clock;
    private final Kept kept;
    private final Patience patience;
    private final Faults faults;
    private final Hands hands;
    private final Rest rest = new Rest();
    private final EventLog log = new EventLog();
    private final LoopState shared;
    private final Subscription changes;
    private final ReentrantLock passes = new ReentrantLock();
    private volatile @Nullable LoopThread driver;
    private volatile @Nullable JobLostException lost;

    /** The time of the last pass, for when the clock itself fails. */
    private volatile Instant latest;

    ControlLoop(ControlLoopBuilder options) {
        this.plan = options.plan;
        this.substrate = options.substrate;
        this.reconciler = options.reconciler;
        this.clock = options.clock;
        this.kept = new Kept(options.journal, options.lag, options.from);
        this.patience = options.patience;
        this.faults = new Faults(options.patience);
        this.hands = new Hands(options.applier);
        this.shared = new LoopState(options.from);
        this.latest = options.from.startedAt().orElse(Instant.EPOCH);
        options.listeners.forEach(log::listen);
        this.changes = substrate.onChange(plan.name(), shared::wake);
    }

    /** Begins to say how a job is to be driven. */
    public static ControlLoopBuilder of(JobPlan plan, Substrate substrate) {
        return new ControlLoopBuilder(plan, substrate);
    }

    /** Goes on with the passes on a daemon thread of the loop's own, named {@code edl-<job>}; to be called once. */
    public void drive() {
        LoopThread thread = new LoopThread(plan.name(), this, shared);
        driver = thread;
        thread.start();
    }

    /**
     * One pass: observes, decides, applies. The loop's thread calls it; where there is none, whoever holds the loop. Passes of
     * several callers run one after the other.
     *
     * <p>A pass that throws an exception of its own (a clock that fails, a wait that cannot be reckoned) fails the job with that
     * cause; the next pass cleans up after it, and when that throws as well, there is no other.
     *
     * @return when the next pass is due if nothing changes before; empty when only a change makes one due
     */
    public Optional<Duration> step() {
        passes.lock();
        try {
            latest = clock.instant();
            return pass(latest);
        } catch (JobLostException e) {
            return lost(e);
        } catch (RuntimeException e) {
            return failed(e);
        } finally {
            passes.unlock();
        }
    }

    /** How long whoever makes the passes is to wait before the next, whatever changes; a request ends it. */
    Duration rest() {
        return rest.next();
    }

    /** Whether the job has ended and nothing is left to do for it: no pass is due any more. */
    public boolean finished() {
        return shared.finished();
    }

    /** Whether another program drives the job now, or its record is gone: {@link JobEvent.Type#JOB_LOST} said why. */
    public boolean lost() {
        return lost != null;
    }

    /** What is remembered of the job; with it, {@link ControlLoopBuilder#from} goes on elsewhere. */
    public JobState state() {
        return shared.snapshot().state();
    }

    private Optional<Duration> pass(Instant now) {
        List<JobEvent> events = new ArrayList<>();
        JobPhase before = state().phase();
        deletions(shared.begin(), now, events);
        long began = System.nanoTime();
        Optional<Decision> decision = attempt("observe", "observe", now, events, () -> substrate.observe(plan))
                .flatMap(found -> decide(found, began, now, events));
        decision.ifPresent(d -> Hands.groups(d).forEach(group -> apply(group, now, events)));
        Optional<Duration> due = due(decision, before, now, events);
        events.forEach(log::publish);
        shared.end(due.isEmpty() && state().phase().ended() && nothingLeaves());
        return due;
    }

    private Optional<Decision> decide(Observed found, long began, Instant now, List<JobEvent> events) {
        return attempt("decide", "keep the state", now, events, () -> {
            Decision decision = reconciler.reconcile(plan, state(), found, now);
            rest.took(found.size(), Duration.ofNanos(System.nanoTime() - began));
            if (!decision.actions().isEmpty()) {
                substrate.prepare(plan, decision.actions());
            }
            kept.decided(decision, now);
            shared.publish(decision.next(), found);
            events.addAll(decision.events());
            return decision;
        });
    }

    private Optional<Duration> due(Optional<Decision> decision, JobPhase before, Instant now, List<JobEvent> events) {
        Optional<Duration> wake = Stream.of(decision.flatMap(Decision::wakeAfter), kept.due(now))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
        faults.forgetOld(now);
        if (faults.exhausted()) {
            String why = faults.message();
            faults.forget();
            if (before.ended()) {
                // What is left of an ended job cannot be removed; to try for ever would help nobody. But that it ended
                // has to be kept, or whoever goes on with it runs it again.
                boolean done = kept.ended() || keeps("decide", state(), now, events);
                return done ? Optional.empty() : Optional.of(faults.unkept());
            }
            shared.edit(state -> state.withFailed(why, now));
            events.add(JobEvent.job(now, JobEvent.Type.JOB_FAILED, why));
            return Optional.of(Duration.ZERO);
        }
        // What has failed is tried after its pause, however late anything else is due.
        return faults.pause(clock.instant(), now).or(() -> wake);
    }

    private boolean keeps(String key, JobState next, Instant now, List<JobEvent> events) {
        return attempt(key, "keep the state", now, events, () -> {
                    kept.now(next);
                    shared.edit(state -> next);
                    return true;
                })
                .isPresent();
    }

    private boolean nothingLeaves() {
        return shared.snapshot().seen().replicas().stream().noneMatch(ObservedReplica::terminating);
    }

    private void deletions(List<String> replicas, Instant now, List<JobEvent> events) {
        for (String replica : replicas) {
            // Kept first: a replica that goes unseen would else be taken for one that was never made, and be made
            // again.
            boolean held = keeps("keep", state().withSeen(replica), now, events);
            Optional<String> uid =
                    Optional.ofNullable(state().replicas().get(replica)).flatMap(ReplicaState::uid);
            if (!held || !apply(new Action.DeleteReplica(replica, uid, "asked for", true), now, events)) {
                shared.deferDeletion(replica);
            }
        }
    }

    private boolean apply(Action action, Instant now, List<JobEvent> events) {
        return apply(List.of(action), now, events);
    }

    /**
     * Actions of which none waits for another; whether all were done. Of many, the rest is left when somebody asks for something
     * meanwhile: the next pass comes at once, and what is then still wanted is decided again.
     */
    private boolean apply(List<Action> group, Instant now, List<JobEvent> events) {
        boolean all = true;
        boolean many = group.size() > MANY;
        Set<String> left = ConcurrentHashMap.newKeySet();
        List<Optional<RuntimeException>> failures = hands.apply(group, action -> {
            if (many && shared.asked()) {
                left.add(action.subject());
            } else {
                substrate.apply(plan, action);
            }
        });
        if (!left.isEmpty()) {
            shared.edit(state -> state.withNotCreated(left));
        }
        noteWhenAsked(group, now);
        for (int i = 0; i < group.size(); i++) {
            Action action = group.get(i);
            String key = action.getClass().getSimpleName() + " " + action.subject();
            Optional<RuntimeException> failure = failures.get(i);
            boolean done = attempt(key, action.toString(), now, events, () -> {
                        failure.ifPresent(e -> {
                            throw e;
                        });
                        return true;
                    })
                    .isPresent();
            if (done && action instanceof Action.CollectJob) {
                shared.edit(JobState::withCollected);
            }
            all &= done;
        }
        return all;
    }

    /** What was asked for only now is not missing because a watch has not shown it yet. */
    private void noteWhenAsked(List<Action> group, Instant begun) {
        Set<String> created = group.stream()
                .filter(Action.CreateReplica.class::isInstance)
                .map(Action::subject)
                .collect(Collectors.toSet());
        if (created.isEmpty()) {
            return;
        }
        Instant end = clock.instant();
        if (Duration.between(begun, end).compareTo(LONG) >= 0) {
            shared.edit(state -> state.withAsked(created, end));
        }
    }

    private <T> Optional<T> attempt(String key, String what, Instant now, List<JobEvent> events, Supplier<T> request) {
        try {
            T answer = request.get();
            faults.succeeded(key);
            return Optional.of(answer);
        } catch (JobLostException e) {
            throw e;
        } catch (RuntimeException e) {
            int failed = faults.failed(key, "could not " + what, e, clock.instant());
            events.add(JobEvent.job(
                    now,
                    JobEvent.Type.SUBSTRATE_FAILED,
                    "could not " + what + " (try " + failed + " of " + patience.tries() + "): " + e));
            return Optional.empty();
        }
    }

    /** The job goes on without this loop, which must not touch it, nor say how it ends. */
    private Optional<Duration> lost(JobLostException cause) {
        lost = cause;
        stop();
        log.publish(JobEvent.job(latest, JobEvent.Type.JOB_LOST, String.valueOf(cause.getMessage())));
        return Optional.empty();
    }

    private Optional<Duration> failed(RuntimeException cause) {
        if (state().phase().ended()) {
            shared.end(true);
            return Optional.empty();
        }
        fail("a pass of the job's loop failed: " + cause, false);
        return Optional.of(Duration.ZERO);
    }

    /** The thread cannot go on: nobody may wait for a job that nothing drives. */
    void broke(Throwable cause) {
        fail("the loop of the job broke: " + cause, true);
    }

    private void fail(String why, boolean nothingLeft) {
        Instant now = latest;
        shared.edit(state -> state.withFailed(why, now));
        try {
            log.publish(JobEvent.job(now, JobEvent.Type.JOB_FAILED, why));
        } finally {
            shared.end(nothingLeft);
        }
    }

    @Override
    public JobPlan plan() {
        return plan;
    }

    @Override
    public JobStatus status() {
        LoopState.Snapshot at = shared.snapshot();
        return StatusView.of(plan, at.state(), at.seen(), clock.instant());
    }

    @Override
    public void scale(String role, int replicas) {
        RolePlan scaled = LoopRequests.scalable(plan, role, replicas);
        refuseEnded();
        taken("scaled", shared.request(state -> state.withDesired(scaled.type(), replicas)));
    }

    /**
     * Changes exactly which replicas a role has, for whoever scales in an order of its own: those that are missing are created,
     * others are removed. It holds until the next {@link #scale}.
     *
     * @param role the word of a role whose replicas keep their ids when they are relaunched; it need not be elastic
     * @param change makes the new ids, at least one, of those that the role is to have now; called once, on any thread
     * @throws IllegalArgumentException for another role
     * @throws IllegalStateException when the job has ended or is not driven from here any more
     */
    public void members(String role, UnaryOperator<SortedSet<Integer>> change) {
        RolePlan of = LoopRequests.keepingIds(plan, role);
        refuseEnded();
        taken(
                "scaled",
                shared.request(
                        state -> state.withMembers(of.type(), change.apply(LoopRequests.ids(state, of.type())))));
    }

    /**
     * Whether a role may be scaled to a number.
     *
     * @throws IllegalArgumentException when it may not, as {@link #scale} would say it
     * @throws IllegalStateException when the job has ended or is not driven from here any more
     */
    public void checkScale(String role, int replicas) {
        LoopRequests.scalable(plan, role, replicas);
        refuseEnded();
        taken("scaled", !shared.closed());
    }

    /** Tells those who listen what was done for the job beside its loop; at once, on this thread. */
    public void tell(JobEvent.Type type, String message) {
        log.publish(JobEvent.job(clock.instant(), type, message));
    }

    @Override
    public void delete(String replica) {
        refuseEnded();
        SortedMap<String, String> names = new TreeMap<>();
        status().replicas().forEach(r -> names.put(r.role().replica(r.id()), r.name()));
        // Created, and not seen yet.
        state().replicas().values().stream()
                .filter(r -> r.stage() == ReplicaStage.PENDING || r.stage() == ReplicaStage.RUNNING)
                .forEach(r -> names.put(r.role().replica(r.id()), r.name()));
        String name = LoopRequests.replica(plan, replica, names);
        taken("asked to delete " + name, shared.requestDeletion(name));
    }

    private void taken(String what, boolean taken) {
        if (!taken) {
            throw new IllegalStateException("job \"" + plan.name() + "\" cannot be " + what
                    + ": its handle is closed, and nothing drives the job from here any more");
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
                        "job \"" + plan.name() + "\" is not driven from here any more: " + why.getMessage());
            }
            throw new IllegalStateException(
                    "job \"" + plan.name() + "\" is not driven any more: its handle was closed before it ended");
        }
        throw new JobTimeoutException(plan, status(), limit);
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        return log.listen(listener);
    }

    @Override
    public List<JobEvent> events() {
        return log.all();
    }

    /** Begins no other pass and returns at once: one that is under way goes on, and {@link #close} waits for it. */
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
     * The last word to the journal, of a loop that was closed: what it saw, and what was still asked for. Whoever was told that it is
     * taken hears when it is not kept; else whoever goes on with the job does it.
     */
    void keepRest() {
        List<JobEvent> events = new ArrayList<>();
        passes.lock();
        try {
            if (lost == null) {
                deletions(shared.begin(), latest, events);
                kept.rest(state());
            }
        } catch (JobLostException e) {
            lost(e);
        } catch (RuntimeException e) {
            String why = "could not keep what was asked for or seen before the job's handle was closed: " + e;
            events.add(JobEvent.job(latest, JobEvent.Type.SUBSTRATE_FAILED, why));
        } finally {
            passes.unlock();
        }
        events.forEach(log::publish);
    }

    /** The job's status. */
    @Override
    public String toString() {
        return status().toString();
    }
}
