package dev.edl.reconcile;

import dev.edl.status.JobEvent;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Replicas that wait are created: once their backoff is over, and once the object that had their name is gone. What was
 * created and is not seen yet is asked for again, which changes nothing where only the observation is late.
 */
final class CreationRule {
    /** How long after its grace period an object may still exist; then its machine does not answer, or a finalizer holds it. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private CreationRule() {}

    static void apply(ReconcileContext turn) {
        for (ReplicaState replica : turn.open(replica -> true)) {
            if (LaunchRule.waits(turn, replica)) {
                // Whatever it waits for is a change, with which the next decision comes.
                continue;
            }
            if (replica.stage() == ReplicaStage.WAITING) {
                waiting(turn, ImmutableReplicaState.copyOf(replica));
            } else if (replica.stage() == ReplicaStage.PENDING
                    && !replica.everObserved()
                    && turn.mayCreate(replica.name(), replica.requestedAt())) {
                turn.put(ImmutableReplicaState.copyOf(replica).withRequestedAt(turn.now));
                turn.create(replica);
            }
        }
    }

    private static void waiting(ReconcileContext turn, ImmutableReplicaState replica) {
        ObservedReplica old = turn.seen(replica.name());
        Optional<Instant> notBefore = replica.backoffUntil();
        if (old != null && adopts(replica, old)) {
            adopt(turn, replica, old);
        } else if (old != null) {
            ImmutableReplicaState known = replica.withUid(old.uid().or(replica::uid));
            turn.put(known);
            if (old.terminating()) {
                old.deletionDeadline().ifPresent(due -> leaving(turn, known, old, due.plus(PATIENCE)));
            } else if (turn.mayDelete(replica.name(), replica.requestedAt())) {
                turn.put(known.withRequestedAt(turn.now));
                turn.delete(replica.name(), "makes room for its relaunch");
            }
        } else if (notBefore.isPresent() && notBefore.get().isAfter(turn.now)) {
            turn.wakeAt(notBefore.get());
        } else if (turn.mayCreate(replica.name(), Optional.empty())) {
            turn.put(replica.withStage(ReplicaStage.PENDING)
                    .withBlockedSince(Optional.empty())
                    .withMessage(Optional.empty())
                    .withCreatedAt(turn.now)
                    .withRequestedAt(turn.now));
            turn.create(replica);
            turn.event(JobEvent.Type.REPLICA_CREATED, replica, "created " + replica.name());
            turn.wakeAt(turn.now.plus(ReconcileContext.ASK_AGAIN));
        }
    }

    /** It waits for as long as the old object exists, and says so once. */
    private static void held(ReconcileContext turn, ImmutableReplicaState replica, ObservedReplica old) {
        if (replica.blockedSince().isEmpty()) {
            String why =
                    "its old object exists 1m after its grace was over; deletion by force is off, so it waits until that"
                            + " object is removed";
            turn.put(replica.withBlockedSince(turn.now).withMessage(why));
            turn.event(
                    JobEvent.Type.REPLICA_BLOCKED,
                    replica,
                    replica.name() + " cannot be relaunched: " + why
                            + old.words().map(words -> "; " + words).orElse(""));
        }
    }

    /**
     * Another object than the one that was relaunched has the name, and runs: what a driver created that was replaced since. Without a
     * uid it cannot be told from the old one.
     */
    private static boolean adopts(ReplicaState replica, ObservedReplica other) {
        return replica.uid().isPresent() && other.uid().isPresent() && !replica.isOtherObject(other) && other.runs();
    }

    private static void adopt(ReconcileContext turn, ImmutableReplicaState replica, ObservedReplica other) {
        ImmutableReplicaState adopted = replica.withStage(ReplicaStage.PENDING)
                .withBackoffUntil(Optional.empty())
                .withBlockedSince(Optional.empty())
                .withMessage(Optional.empty())
                .withCreatedAt(turn.now);
        turn.put(adopted);
        turn.event(
                JobEvent.Type.REPLICA_CREATED,
                adopted,
                "adopted " + adopted.name() + ": an object of its name exists that is not the one before");
        ObservationRule.look(turn, adopted, other);
        // What follows from its phase is decided at once.
        turn.wakeAt(turn.now);
    }

    /** The old object has the name that the replica needs. */
    private static void leaving(
            ReconcileContext turn, ImmutableReplicaState replica, ObservedReplica old, Instant patience) {
        Instant next = replica.blockedSince()
                .filter(asked -> turn.forceDelete)
                .map(asked -> asked.plus(PATIENCE))
                .orElse(patience);
        if (next.isAfter(turn.now)) {
            turn.wakeAt(next);
            return;
        }
        if (!turn.forceDelete) {
            held(turn, replica, old);
            return;
        }
        turn.put(replica.withBlockedSince(turn.now));
        turn.deleteByForce(replica.name(), "exists 1m after its grace was over");
        turn.wakeAt(turn.now.plus(PATIENCE));
        if (replica.blockedSince().isEmpty()) {
            turn.event(
                    JobEvent.Type.REPLICA_BLOCKED,
                    replica,
                    replica.name()
                            + " cannot be relaunched: its old object exists 1m after its grace was over, and is removed by force"
                            + old.words().map(words -> "; " + words).orElse(""));
        }
    }
}
