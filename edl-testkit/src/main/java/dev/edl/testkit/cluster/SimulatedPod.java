package dev.edl.testkit.cluster;

import dev.edl.Resources;
import dev.edl.plan.ReplicaPlan;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A pod on paper. Not thread-safe. */
final class SimulatedPod {
    /** The job or the deployment that it belongs to. */
    final String owner;

    final String name;
    final Resources requests;
    final int priority;
    /** Later ones have higher numbers. */
    final long number;

    private ObservedReplica seen;
    /** Where it is, or nothing while it waits for room. */
    @Nullable
    String node;
    /** Where room is being made for it. */
    @Nullable
    String nominated;
    /** When it got its node. */
    @Nullable
    Instant placed;
    /** When it ended or was gone, whichever came first. */
    @Nullable
    Instant ended;
    /** When its container starts, once it has a node. */
    @Nullable
    Instant starts;
    /** When it is gone, once it was told to go. */
    @Nullable
    Instant goes;
    /** Whether its owner has seen that it was told to go. */
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

    /** One of a deployment, which no job sees. */
    SimulatedPod(String deployment, String name, Resources requests, int priority, long number) {
        this.owner = deployment;
        this.name = name;
        this.requests = requests;
        this.priority = priority;
        this.number = number;
        this.seen = ObservedReplica.of(name, dev.edl.RoleType.WORKER, 0, ObservedPhase.PENDING);
    }

    /** Tells it from others of its name. */
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

    /** Whether it takes room: a pod that has ended takes none. */
    boolean takesRoom() {
        return node != null && !seen.phase().ended();
    }

    boolean waitsForRoom() {
        return node == null && !leaving() && !seen.phase().ended();
    }

    /** The scheduler found no room. Whether that is news. */
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
        // It waits no more for what it waited for.
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

    /** It is not there any more. */
    void gone(Instant now) {
        if (ended == null) {
            ended = now;
        }
    }

    /** How long it had its node; empty when it never had one. */
    Optional<PodSpan> span(Optional<String> job) {
        String on = node;
        Instant from = placed;
        return on == null || from == null
                ? Optional.empty()
                : Optional.of(new PodSpan(
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
