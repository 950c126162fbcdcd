package dev.edl.reconcile;

import java.time.Instant;
import java.util.Optional;

/**
 * Replicas that wait are created: once their backoff is over, and once the object that had their name is gone. What was
 * created and is not seen yet is asked for again, which changes nothing where only the observation is late.
 */
final class CreationRule {
    private CreationRule() {}

    static void apply(Turn turn) {
        for (ReplicaState replica : turn.replicas()) {
            if (replica.stage() == ReplicaStage.WAITING) {
                waiting(turn, ImmutableReplicaState.copyOf(replica));
            } else if (replica.stage() == ReplicaStage.PENDING && !replica.seen() && turn.mayAsk(replica.asked())) {
                turn.put(ImmutableReplicaState.copyOf(replica).withAsked(turn.now));
                turn.create(replica);
            }
        }
    }

    private static void waiting(Turn turn, ImmutableReplicaState replica) {
        ObservedReplica old = turn.seen(replica.name());
        Optional<Instant> notBefore = replica.notBefore();
        if (old != null) {
            if (!old.terminating() && turn.mayAsk(replica.asked())) {
                turn.put(replica.withAsked(turn.now));
                turn.delete(replica.name(), "makes room for its relaunch");
            }
        } else if (notBefore.isPresent() && notBefore.get().isAfter(turn.now)) {
            turn.wakeAt(notBefore.get());
        } else {
            turn.put(replica.withStage(ReplicaStage.PENDING)
                    .withCreated(turn.now)
                    .withAsked(turn.now));
            turn.create(replica);
            turn.event(JobEvent.Type.REPLICA_CREATED, replica, "created " + replica.name());
            turn.wakeAt(turn.now.plus(Turn.ASK_AGAIN));
        }
    }
}
