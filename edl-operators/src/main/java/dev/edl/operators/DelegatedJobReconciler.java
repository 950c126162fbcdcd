package dev.edl.operators;

import dev.edl.k8s.spi.ObservedPod;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import dev.edl.reconcile.ReplicaState;
import dev.edl.reconcile.ReplicaStates;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reconciler that derives a job's state from the status that the operator wrote and the operator's pods. It never
 * returns an action. {@link CustomResourceRun} sends the user's requests to the API server directly.
 *
 * <p>Stateful: one instance serves one control loop, because it remembers which messages it has emitted.
 */
final class DelegatedJobReconciler implements Reconciler {
    /**
     * Longest wait for the pod watch to show the failed replica, once the resource watch has shown that the job failed.
     */
    private static final Duration LAG = Duration.ofSeconds(1);

    /**
     * Delay until the next check of an ended job whose operator still removes pods. It can be long, because watch
     * events wake the loop.
     */
    private static final Duration IDLE = Duration.ofHours(1);

    private final String name;
    private final Supplier<Observation> latest;
    private final List<String> untold;
    private List<String> refusals = List.of();
    private Optional<Instant> failing = Optional.empty();

    /**
     * The custom resource and its pods, as observed at one moment.
     *
     * @param resource state read from the custom resource; empty when the resource was deleted
     * @param pods pods of the job's replicas
     * @param cancelled whether this program requested the resource's deletion; the loop's JobState may show that
     *     request only in the next reconcile pass
     */
    record Observation(Optional<CustomResourceState> resource, List<ObservedPod> pods, boolean cancelled) {
        Observation {
            pods = List.copyOf(pods);
        }

        Observation(Optional<CustomResourceState> resource, List<ObservedPod> pods) {
            this(resource, pods, false);
        }
    }

    /**
     * Creates a reconciler.
     *
     * @param name kind, namespace and name of the resource for messages, such as {@code TFJob default/mnist}
     * @param latest supplies the observation that the substrate made last
     * @param untold messages that the first pass emits as events
     */
    DelegatedJobReconciler(String name, Supplier<Observation> latest, List<String> untold) {
        this.name = name;
        this.latest = latest;
        this.untold = new ArrayList<>(untold);
    }

    /** Returns the state of a job by a single observation, whose pods were read after the resource. */
    static JobState once(String name, JobPlan plan, Observation seen, Instant now) {
        DelegatedJobReconciler reconciler = new DelegatedJobReconciler(name, () -> seen, List.of());
        // The pods are current, so a failed job does not wait for them.
        reconciler.failing = Optional.of(now.minus(LAG));
        return reconciler
                .reconcile(plan, JobState.initial(plan), JobObservation.nothing(), now)
                .next();
    }

    @Override
    public Decision reconcile(JobPlan plan, JobState state, JobObservation pods, Instant now) {
        Observation observed = latest.get();
        List<JobEvent> events = new ArrayList<>();
        untold.forEach(text -> events.add(JobEvent.job(now, JobEvent.Type.JOB_MESSAGE, text)));
        untold.clear();
        Map<String, ReplicaState> replicas =
                OperatorReplicaTracker.observe(state.replicas(), observed.pods(), now, events);
        JobState.Builder next = JobState.builder()
                .nextIds(state.nextIds())
                .replicas(ReplicaStates.of(replicas.values()))
                .cancelRequested(state.cancelRequested())
                .startedAt(state.startedAt().orElse(now));
        if (state.phase().ended()) {
            next.phase(state.phase())
                    .message(state.message())
                    .endedAt(state.endedAt())
                    .desired(state.desired());
            return new Decision(List.of(), next.build(), events, leaving(plan, observed));
        }
        if (observed.resource().isEmpty()) {
            String why =
                    state.cancelRequested() || observed.cancelled() ? "cancelled on request" : name + " was deleted";
            events.add(JobEvent.job(now, JobEvent.Type.JOB_CANCELLED, why));
            next.phase(JobPhase.CANCELLED).message(why).endedAt(now).desired(state.desired());
            return new Decision(List.of(), next.build(), events, Optional.empty());
        }
        CustomResourceState resource = observed.resource().get();
        next.startedAt(resource.created());
        next.desired(wanted(plan, state, resource, now, events));
        refused(resource, now, events);
        if (resource.status().phase() == JobPhase.FAILED && !canReportFailure(replicas, now)) {
            next.phase(state.phase()).message(state.message());
            return new Decision(List.of(), next.build(), events, Optional.of(LAG));
        }
        ResourceStatus status = status(state, resource, replicas);
        JobPhase phase = status.phase();
        next.phase(phase).message(status.message());
        if (phase.ended()) {
            next.endedAt(resource.ended().orElse(now));
        }
        event(plan, state, status, resource.taken(), now).ifPresent(events::add);
        return new Decision(
                List.of(), next.build(), events, phase.ended() ? leaving(plan, observed) : Optional.empty());
    }

    private static Map<RoleType, Integer> wanted(
            JobPlan plan, JobState state, CustomResourceState resource, Instant now, List<JobEvent> events) {
        Map<RoleType, Integer> wanted = new HashMap<>();
        plan.roles().forEach(role -> {
            int before = state.desired().getOrDefault(role.type(), role.replicas());
            int after = resource.wanted().getOrDefault(role.type(), before);
            if (before != after) {
                events.add(JobEvent.job(
                        now, JobEvent.Type.SCALED, "scaled " + role.type() + " from " + before + " to " + after));
            }
            wanted.put(role.type(), after);
        });
        return wanted;
    }

    private void refused(CustomResourceState resource, Instant now, List<JobEvent> events) {
        resource.refusals().stream()
                .filter(text -> !refusals.contains(text))
                .forEach(text -> events.add(JobEvent.job(now, JobEvent.Type.JOB_MESSAGE, text)));
        refusals = resource.refusals();
    }

    /**
     * Returns whether to report a failed job now: a failed replica is known, or {@link #LAG} has passed since the first
     * call. The first call starts that wait.
     */
    private boolean canReportFailure(Map<String, ReplicaState> replicas, Instant now) {
        if (failing.isEmpty()) {
            failing = Optional.of(now);
        }
        return !OperatorReplicaTracker.failed(replicas).isEmpty()
                || !now.isBefore(failing.get().plus(LAG));
    }

    private ResourceStatus status(JobState state, CustomResourceState resource, Map<String, ReplicaState> replicas) {
        if (!resource.legible()) {
            return new ResourceStatus(
                    state.phase(),
                    "its status cannot be read: " + resource.status().message());
        }
        if (!resource.taken()) {
            return new ResourceStatus(JobPhase.PENDING, "no operator has reconciled " + name + " yet");
        }
        ResourceStatus status = resource.status();
        List<ReplicaState> failed = OperatorReplicaTracker.failed(replicas);
        if (status.phase() != JobPhase.FAILED || failed.isEmpty()) {
            return status;
        }
        ReplicaState first = failed.get(0);
        String which = first.name() + ": " + OperatorReplicaTracker.describe(first)
                + (failed.size() > 1 ? ", and " + (failed.size() - 1) + " more" : "");
        return new ResourceStatus(
                JobPhase.FAILED, status.message().isEmpty() ? which : status.message() + "; " + which);
    }

    private static Optional<JobEvent> event(
            JobPlan plan, JobState state, ResourceStatus status, boolean taken, Instant now) {
        String said = status.message();
        return switch (status.phase()) {
            case SUCCEEDED ->
                Optional.of(JobEvent.job(
                        now, JobEvent.Type.JOB_SUCCEEDED, said.isEmpty() ? "job " + plan.name() + " succeeded" : said));
            case FAILED ->
                Optional.of(JobEvent.job(
                        now, JobEvent.Type.JOB_FAILED, said.isEmpty() ? "job " + plan.name() + " failed" : said));
            case RUNNING ->
                state.phase() != JobPhase.RUNNING
                        ? Optional.of(JobEvent.job(
                                now,
                                JobEvent.Type.JOB_RUNNING,
                                said.isEmpty() ? "job " + plan.name() + " is running" : said))
                        : news(state, said, now);
            case SUSPENDED ->
                state.phase() != JobPhase.SUSPENDED
                        ? Optional.of(JobEvent.job(
                                now,
                                JobEvent.Type.JOB_SUSPENDED,
                                said.isEmpty() ? "job " + plan.name() + " is suspended" : said))
                        : news(state, said, now);
            default ->
                state.phase() == JobPhase.SUSPENDED
                        ? Optional.of(JobEvent.job(
                                now,
                                JobEvent.Type.JOB_RESUMED,
                                said.isEmpty() ? "job " + plan.name() + " is resumed" : said))
                        : taken ? news(state, said, now) : Optional.empty();
        };
    }

    private static Optional<JobEvent> news(JobState state, String said, Instant now) {
        return said.isEmpty() || said.equals(state.message())
                ? Optional.empty()
                : Optional.of(JobEvent.job(now, JobEvent.Type.JOB_MESSAGE, said));
    }

    /**
     * Returns the delay to the next check of an ended job while its operator still removes running pods; empty
     * otherwise.
     */
    private static Optional<Duration> leaving(JobPlan plan, Observation observed) {
        boolean running =
                observed.pods().stream().anyMatch(pod -> !pod.replica().phase().ended());
        return running && observed.resource().isPresent() && plan.policy().cleanup() != CleanupPolicy.NONE
                ? Optional.of(IDLE)
                : Optional.empty();
    }
}
