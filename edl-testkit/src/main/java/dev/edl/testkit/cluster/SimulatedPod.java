package dev.edl.testkit.cluster;

import dev.edl.plan.ReplicaPlan;
import dev.edl.spec.Resources;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Simulated pod. Not thread-safe. */
final class SimulatedPod {
    /** Job or deployment that the pod belongs to. */
    final String owner;

    final String name;
    final Resources requests;
    final int priority;
    /** Creation number; later pods have higher numbers. */
    final long number;

    private ObservedReplica seen;
    /** Name of the pod's node; null while the pod is pending. */
    @Nullable
    String node;
    /** Node on which preemption makes room for the pod; null without a preemption. */
    @Nullable
    String nominated;
    /** Time at which the pod got its node. */
    @Nullable
    Instant placed;
    /** Time of the pod's end or removal, the earlier of both. */
    @Nullable
    Instant ended;
    /** Time at which the pod's container starts; null before the pod has a node and after the start. */
    @Nullable
    Instant starts;
    /** Time at which the pod can be removed; null unless it is terminating. */
    @Nullable
    Instant goes;
    /** Whether the pod's job has observed that the pod is terminating. */
    boolean shownLeaving;

    SimulatedPod(String owner, ReplicaPlan replica, Resources requests, int priority, long number) {
        this.owner = owner;
        this.name = replica.name();
        this.requests = requests;
        this.priority = priority;
        this.number = number;
        this.seen = ObservedReplica.of(replica.name(), replica.role(), replica.id(), ObservedPhase.PENDING)
                .withUid(uid());
    }

    /** Creates a pod of a deployment, which no job observes. */
    SimulatedPod(String deployment, String name, Resources requests, int priority, long number) {
        this.owner = deployment;
        this.name = name;
        this.requests = requests;
        this.priority = priority;
        this.number = number;
        this.seen = ObservedReplica.of(name, dev.edl.spec.RoleType.WORKER, 0, ObservedPhase.PENDING);
    }

    /** Returns the pod's uid, which differs between pods with the same name. */
    String uid() {
        return Long.toString(number);
    }

    ObservedReplica seen() {
        return seen;
    }

    boolean runs() {
        return seen.phase() == ObservedPhase.RUNNING;
    }

    boolean leaving() {
        return goes != null;
    }

    /** Returns whether the pod occupies resources of a node; a pending or ended pod does not. */
    boolean takesRoom() {
        return node != null && !seen.phase().ended();
    }

    boolean waitsForRoom() {
        return node == null && !leaving() && !seen.phase().ended();
    }

    /** Records that the scheduler found no node; returns whether the reason is new. */
    boolean unschedulable(String why) {
        Optional<String> before = seen.message();
        seen = seen.withReason("Unschedulable").withMessage(why);
        return !before.equals(Optional.of(why));
    }

    void placed(String on, Instant now, Instant start) {
        node = on;
        placed = now;
        nominated = null;
        starts = start;
        // The reason for waiting no longer applies.
        seen = ObservedReplica.of(name, seen.role(), seen.id(), ObservedPhase.PENDING)
                .withUid(uid());
    }

    void run() {
        starts = null;
        seen = seen.withPhase(ObservedPhase.RUNNING);
    }

    void end(int exitCode, Optional<String> reason, Instant now) {
        ended = now;
        starts = null;
        seen = seen.withExitCode(exitCode);
        reason.ifPresent(why -> seen = seen.withReason(why));
    }

    /** Records that the pod was removed. */
    void gone(Instant now) {
        if (ended == null) {
            ended = now;
        }
    }

    /** Returns the period in which the pod had its node; empty when it never had one. */
    Optional<PodPlacementPeriod> span(Optional<String> job) {
        String on = node;
        Instant from = placed;
        return on == null || from == null
                ? Optional.empty()
                : Optional.of(new PodPlacementPeriod(
                        name, job, on, from, Optional.ofNullable(ended), ended == null ? "" : howItEnded()));
    }

    private String howItEnded() {
        if (seen.reason().isPresent()) {
            return seen.reason().get();
        }
        return seen.exitCode().isPresent() ? "exit code " + seen.exitCode().getAsInt() : "deleted";
    }

    void leave(Instant by, Optional<String> reason) {
        goes = by;
        reason.ifPresent(why -> seen = seen.withReason(why));
        seen = seen.deletedBy(by);
    }
}
