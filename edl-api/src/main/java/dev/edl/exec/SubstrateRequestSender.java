package dev.edl.exec;

import dev.edl.exec.RequestFailure.Request;
import dev.edl.exec.internal.ActionExecutor;
import dev.edl.exec.internal.HumanDuration;
import dev.edl.exec.internal.LoopState;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sends the requests of one control loop to its substrate and records the failed requests. */
final class SubstrateRequestSender {
    /** Size of the largest group of actions that runs to its end even if the caller requests something meanwhile. */
    private static final int MANY = 50;

    /** Number of failures in a group after which its remaining actions are not tried: they would most likely fail. */
    private static final int ENOUGH = 16;

    /** Time since the start of the pass after which a group's creations count as requested at the end of the group. */
    private static final Duration LONG = Duration.ofMillis(500);

    private final JobPlan plan;
    private final Substrate substrate;
    private final InstantSource clock;
    private final ActionExecutor actions;
    private final LoopState shared;
    private final FailureTracker failures;
    private final List<Consumer<RequestFailure>> listeners;

    SubstrateRequestSender(ControlLoopBuilder options, LoopState shared, FailureTracker failures) {
        this.plan = options.plan;
        this.substrate = options.substrate;
        this.clock = options.clock;
        this.actions = new ActionExecutor(options.applier);
        this.shared = shared;
        this.failures = failures;
        this.listeners = new CopyOnWriteArrayList<>(options.failures);
    }

    static Request request(Action action) {
        if (action instanceof Action.CreateReplica) {
            return Request.CREATE;
        }
        return action instanceof Action.DeleteReplica ? Request.DELETE : Request.COLLECT;
    }

    /**
     * Sends a request that concerns the whole job, such as an observation. Records a failure for a later retry, and
     * adds the events of a new failure and of a recovery to {@code events}.
     *
     * @param what sends the request and returns its answer
     * @return the answer; empty if the request failed
     * @throws JobLostException when the request throws it
     */
    <T> Optional<T> attempt(Request request, Instant now, List<JobEvent> events, Supplier<T> what) {
        T answer;
        try {
            answer = what.get();
        } catch (RuntimeException e) {
            if (failed(request, plan.name(), e, events)) {
                failures.requestFailure(request, plan.name(), clock.instant())
                        .ifPresent(requestFailure -> events.add(event(requestFailure, now)));
            }
            return Optional.empty();
        }
        failures.succeeded(request, plan.name(), clock.instant())
                .map(requestFailure -> JobEvent.job(now, JobEvent.Type.SUBSTRATE_RECOVERED, requestFailure.over()))
                .ifPresent(events::add);
        return Optional.of(answer);
    }

    /**
     * Applies independent actions of one kind, those with the fewest failures first. A failure does not stop the other
     * actions, up to {@link #ENOUGH} failures. If the caller requests something while a group of more than
     * {@link #MANY} actions runs, the rest is left to the next pass, which starts at once and decides it again.
     *
     * @param now the start of the pass
     * @param events the pass's events; failures are added, and events of creations that failed are removed
     * @return whether all actions were applied and succeeded
     */
    boolean apply(List<Action> group, Instant now, List<JobEvent> events) {
        List<Action> sorted = group.stream()
                .sorted(Comparator.comparing(action -> failures.tries(request(action), action.subject())))
                .toList();
        boolean many = group.size() > MANY;
        Set<String> left = ConcurrentHashMap.newKeySet();
        Set<String> deferred = ConcurrentHashMap.newKeySet();
        AtomicInteger failed = new AtomicInteger();
        List<Optional<RuntimeException>> ends = actions.apply(sorted, action -> {
            if (many && shared.asked()) {
                left.add(action.subject());
            } else if (failed.get() >= ENOUGH) {
                deferred.add(action.subject());
            } else {
                apply(action, failed);
            }
        });
        Set<String> undone = new HashSet<>(left);
        undone.addAll(deferred);
        if (!undone.isEmpty()) {
            shared.edit(state -> state.withNotCreated(undone));
        }
        noteWhenAsked(sorted, now);
        Set<String> news = new HashSet<>();
        boolean all = note(sorted, ends, undone, news, now, events);
        defer(sorted, ends, deferred, undone, news);
        Instant at = clock.instant();
        failures.requestFailures(request(group.get(0)), news, at)
                .forEach(requestFailure -> events.add(event(requestFailure, now)));
        return all;
    }

    private void apply(Action action, AtomicInteger failed) {
        try {
            substrate.apply(plan, action);
        } catch (RuntimeException e) {
            failed.incrementAndGet();
            throw e;
        }
    }

    /**
     * Records the end of each action, and adds the subjects whose failure has a new cause to {@code news}. Returns
     * whether all actions were applied and succeeded.
     */
    private boolean note(
            List<Action> group,
            List<Optional<RuntimeException>> ends,
            Set<String> undone,
            Set<String> news,
            Instant now,
            List<JobEvent> events) {
        Set<String> failed = new HashSet<>(undone);
        for (int i = 0; i < group.size(); i++) {
            Action action = group.get(i);
            Optional<RuntimeException> failure = ends.get(i);
            if (failure.isPresent()) {
                failed.add(action.subject());
                if (failed(request(action), action.subject(), failure.get(), events)) {
                    news.add(action.subject());
                }
            } else if (!undone.contains(action.subject())) {
                done(action, now, events);
            }
        }
        events.removeIf(event -> event.type() == JobEvent.Type.REPLICA_CREATED
                && event.replica().filter(failed::contains).isPresent());
        return failed.isEmpty();
    }

    private void done(Action action, Instant now, List<JobEvent> events) {
        if (action instanceof Action.CollectJob) {
            shared.edit(JobState::withCollected);
        }
        failures.succeeded(request(action), action.subject(), clock.instant())
                .filter(requestFailure -> action instanceof Action.CreateReplica)
                .ifPresent(requestFailure -> created(action.subject(), requestFailure, now, events));
    }

    /** Replaces a creation's event by one with the time since its first failure, if a retry succeeded. */
    private static void created(String replica, RequestFailure requestFailure, Instant now, List<JobEvent> events) {
        events.removeIf(event -> event.type() == JobEvent.Type.REPLICA_CREATED
                && event.replica().filter(replica::equals).isPresent());
        events.add(JobEvent.replica(
                now,
                JobEvent.Type.REPLICA_CREATED,
                replica,
                "created " + replica + ", after " + HumanDuration.of(requestFailure.age())));
    }

    /**
     * Records a failure and passes it to the listeners. Returns whether its cause differs from that of the previous
     * try.
     *
     * @throws JobLostException if it is the failure
     */
    private boolean failed(Request request, String subject, RuntimeException failure, List<JobEvent> events) {
        if (failure instanceof JobLostException lost) {
            throw lost;
        }
        Instant at = clock.instant();
        boolean news = failures.failed(request, subject, substrate.explain(failure), at);
        for (Consumer<RequestFailure> listener : List.copyOf(listeners)) {
            failures.requestFailure(request, subject, at)
                    .ifPresent(requestFailure -> tell(listener, requestFailure, events));
        }
        return news;
    }

    /** Calls a listener, and removes it if it throws. */
    private void tell(Consumer<RequestFailure> listener, RequestFailure requestFailure, List<JobEvent> events) {
        try {
            listener.accept(requestFailure);
        } catch (RuntimeException e) {
            listeners.remove(listener);
            events.add(JobEvent.job(
                    clock.instant(),
                    JobEvent.Type.LISTENER_FAILED,
                    "a listener of request failures threw and is no longer called: " + e));
        }
    }

    private static JobEvent event(RequestFailure requestFailure, Instant now) {
        String text = requestFailure.message() + " (try " + requestFailure.tries() + ", the next in "
                + HumanDuration.of(requestFailure.retryIn()) + ")";
        return requestFailure.replicas().size() == 1
                ? JobEvent.replica(
                        now,
                        JobEvent.Type.SUBSTRATE_FAILED,
                        requestFailure.replicas().get(0),
                        text)
                : JobEvent.job(now, JobEvent.Type.SUBSTRATE_FAILED, text);
    }

    private void defer(
            List<Action> group,
            List<Optional<RuntimeException>> ends,
            Set<String> deferred,
            Set<String> undone,
            Set<String> news) {
        Request request = request(group.get(0));
        boolean succeeded = false;
        @Nullable Action failed = null;
        @Nullable RuntimeException failure = null;
        for (int i = 0; i < ends.size(); i++) {
            if (ends.get(i).isPresent()) {
                failed = group.get(i);
                failure = ends.get(i).get();
            } else {
                succeeded |= !undone.contains(group.get(i).subject());
            }
        }
        Instant at = clock.instant();
        if (failed != null && failure != null && !deferred.isEmpty()) {
            news.addAll(failures.defer(request, deferred, failed.subject(), substrate.explain(failure), at));
        }
        failures.grouped(request, !deferred.isEmpty(), succeeded, at);
    }

    /**
     * Sets the request time of created replicas to the end of the group if creating them took {@link #LONG} or longer.
     * Otherwise a replica that was requested last might count as missing before a watch has shown it.
     */
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
            shared.edit(state -> state.withRequested(created, end));
        }
    }
}
