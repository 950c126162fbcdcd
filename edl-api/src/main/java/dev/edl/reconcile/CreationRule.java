package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Creates waiting replicas once their backoff is over and the old object of their name is gone. A replica that was
 * created and not observed yet is requested again; this has no effect if it exists.
 */
final class CreationRule {
    /**
     * Time for which an old object may still exist after its grace period. If it exists longer, its node does not
     * respond or a finalizer holds it.
     */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private CreationRule() {}

    static void apply(ReconcileContext context) {
        for (ReplicaState replica : context.open(replica -> true)) {
            if (LauncherDelayRule.waits(context, replica)) {
                // Each event that it waits for is a change, which triggers the next decision.
                continue;
            }
            if (replica.stage() == ReplicaStage.WAITING) {
                waiting(context, ImmutableReplicaState.copyOf(replica));
            } else if (replica.stage() == ReplicaStage.PENDING
                    && !replica.everObserved()
                    && context.mayCreate(replica.name(), replica.requestedAt())) {
                context.put(ImmutableReplicaState.copyOf(replica).withRequestedAt(context.now));
                context.create(replica);
            }
        }
    }

    private static void waiting(ReconcileContext context, ImmutableReplicaState replica) {
        ObservedReplica old = context.seen(replica.name());
        Optional<Instant> notBefore = replica.backoffUntil();
        if (old != null && adopts(replica, old)) {
            adopt(context, replica, old);
        } else if (old != null) {
            ImmutableReplicaState known = replica.withUid(old.uid().or(replica::uid));
            context.put(known);
            if (old.terminating()) {
                old.deletionDeadline().ifPresent(due -> leaving(context, known, old, due.plus(PATIENCE)));
            } else if (context.mayDelete(replica.name(), replica.requestedAt())) {
                context.put(known.withRequestedAt(context.now));
                context.delete(replica.name(), "makes room for its relaunch");
            }
        } else if (notBefore.isPresent() && notBefore.get().isAfter(context.now)) {
            context.wakeAt(notBefore.get());
        } else if (context.mayCreate(replica.name(), Optional.empty())) {
            context.put(replica.withStage(ReplicaStage.PENDING)
                    .withBlockedSince(Optional.empty())
                    .withMessage(Optional.empty())
                    .withCreatedAt(context.now)
                    .withRequestedAt(context.now));
            context.create(replica);
            context.event(JobEvent.Type.REPLICA_CREATED, replica, "created " + replica.name());
            context.wakeAt(context.now.plus(ReconcileContext.ASK_AGAIN));
        }
    }

    /**
     * Keeps a replica waiting until its old object is gone, because force deletion is off. Emits an event the first
     * time.
     */
    private static void held(ReconcileContext context, ImmutableReplicaState replica, ObservedReplica old) {
        if (replica.blockedSince().isEmpty()) {
            String why =
                    "its old object still exists 1m after the grace period; force deletion is off, so it waits until"
                            + " that object is gone";
            context.put(replica.withBlockedSince(context.now).withMessage(why));
            context.event(
                    JobEvent.Type.REPLICA_BLOCKED,
                    replica,
                    replica.name() + " cannot be relaunched: " + why
                            + old.describe().map(words -> "; " + words).orElse(""));
        }
    }

    /**
     * Returns whether a waiting replica adopts an existing object of its name that an earlier driver created. The
     * object must run, and must not belong to the ended predecessor. False if either uid is unknown.
     */
    private static boolean adopts(ReplicaState replica, ObservedReplica other) {
        return replica.uid().isPresent() && other.uid().isPresent() && !replica.isOtherObject(other) && other.runs();
    }

    private static void adopt(ReconcileContext context, ImmutableReplicaState replica, ObservedReplica other) {
        ImmutableReplicaState adopted = replica.withStage(ReplicaStage.PENDING)
                .withBackoffUntil(Optional.empty())
                .withBlockedSince(Optional.empty())
                .withMessage(Optional.empty())
                .withCreatedAt(context.now);
        context.put(adopted);
        context.event(
                JobEvent.Type.REPLICA_CREATED,
                adopted,
                "adopted " + adopted.name() + ": another object of its name exists");
        ObservationRule.observe(context, adopted, other);
        // The next decision, which is due at once, handles its phase.
        context.wakeAt(context.now);
    }

    /**
     * Waits until the old object of the replica's name, which is being deleted, is gone. If the object still exists
     * after the grace period, force-deletes it every {@link #PATIENCE}, or emits an event if force deletion is off.
     *
     * @param patience end of the old object's grace period plus {@link #PATIENCE}
     */
    private static void leaving(
            ReconcileContext context, ImmutableReplicaState replica, ObservedReplica old, Instant patience) {
        Instant next = replica.blockedSince()
                .filter(asked -> context.forceDelete)
                .map(asked -> asked.plus(PATIENCE))
                .orElse(patience);
        if (next.isAfter(context.now)) {
            context.wakeAt(next);
            return;
        }
        if (!context.forceDelete) {
            held(context, replica, old);
            return;
        }
        context.put(replica.withBlockedSince(context.now));
        context.deleteByForce(replica.name(), "still exists 1m after the grace period");
        context.wakeAt(context.now.plus(PATIENCE));
        if (replica.blockedSince().isEmpty()) {
            context.event(
                    JobEvent.Type.REPLICA_BLOCKED,
                    replica,
                    replica.name()
                            + " cannot be relaunched: its old object still exists 1m after the grace period;"
                            + " force-deleting it"
                            + old.describe().map(words -> "; " + words).orElse(""));
        }
    }
}
