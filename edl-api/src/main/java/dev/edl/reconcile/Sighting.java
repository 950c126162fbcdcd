package dev.edl.reconcile;

import java.util.Optional;
import java.util.OptionalInt;

/** Compares what is there with what was known: which replicas run, have ended, are gone. Decides nothing. */
final class Sighting {
    private Sighting() {}

    static void apply(Turn turn) {
        for (ReplicaState replica : turn.replicas()) {
            if (replica.stage() == ReplicaStage.PENDING || replica.stage() == ReplicaStage.RUNNING) {
                look(turn, replica);
            } else if (turn.seen(replica.name()) != null && replica.stage() != ReplicaStage.WAITING) {
                turn.put(ImmutableReplicaState.copyOf(replica).withSeen(true));
            }
        }
        // A state that was kept before the last decision does not know what that one created: its ids are used up all
        // the same.
        turn.seen().forEach(seen -> turn.idUsed(seen.role(), seen.id()));
    }

    private static void look(Turn turn, ReplicaState replica) {
        ObservedReplica seen = turn.seen(replica.name());
        if (seen == null) {
            if (replica.seen()) {
                deleted(turn, replica);
            }
            return;
        }
        ImmutableReplicaState known = ImmutableReplicaState.copyOf(replica).withSeen(true);
        turn.put(known);
        if (seen.phase() == ReplicaPhase.SUCCEEDED) {
            turn.put(known.withStage(ReplicaStage.SUCCEEDED).withEnded(turn.now).withExitCode(seen.exitCode()));
            turn.event(JobEvent.Type.REPLICA_SUCCEEDED, known, known.name() + " succeeded");
        } else if (seen.terminating()) {
            // Its exit code is the deletion's doing; and who waits for the object to go loses the time of its grace.
            deleted(turn, known);
        } else if (seen.phase() == ReplicaPhase.FAILED) {
            ImmutableReplicaState failed = ended(turn, known, seen.exitCode(), seen.reason());
            turn.ending(failed, false);
            turn.event(JobEvent.Type.REPLICA_FAILED, failed, failed.name() + " failed: " + Ending.words(failed));
        } else if (seen.phase() == ReplicaPhase.RUNNING && known.stage() == ReplicaStage.PENDING) {
            turn.put(known.withStage(ReplicaStage.RUNNING));
            turn.event(JobEvent.Type.REPLICA_RUNNING, known, known.name() + " is running");
        }
    }

    private static void deleted(Turn turn, ReplicaState replica) {
        ReplicaState gone = ended(turn, replica, OptionalInt.empty(), Optional.of("deleted"));
        turn.ending(gone, true);
        turn.event(JobEvent.Type.REPLICA_DELETED, gone, gone.name() + " was deleted");
    }

    private static ImmutableReplicaState ended(
            Turn turn, ReplicaState replica, OptionalInt exitCode, Optional<String> reason) {
        ImmutableReplicaState ended = ImmutableReplicaState.copyOf(replica)
                .withStage(ReplicaStage.FAILED)
                .withEnded(turn.now)
                .withExitCode(exitCode)
                .withReason(reason);
        turn.put(ended);
        return ended;
    }
}
