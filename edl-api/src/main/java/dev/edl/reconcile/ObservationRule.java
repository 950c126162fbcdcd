package dev.edl.reconcile;

import dev.edl.internal.text.DurationText;
import dev.edl.status.JobEvent;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Updates the state of the known replicas from the observed objects: which run, have ended or are gone. Decides no
 * action.
 *
 * <p>Only the object with a replica's uid is that replica. An object with another uid means:
 *
 * <ul>
 *   <li>Before the replica was observed: the object is its predecessor's, from an observation that is older than the
 *       creation. The rule ignores it.
 *   <li>After that: the replica's object was deleted, and another one was created under its name.
 * </ul>
 */
final class ObservationRule {
    /**
     * Time after which a replica that cannot start counts as failed. Before, its registry may recover, or its missing
     * Secret may be created.
     */
    private static final Duration START_LIMIT = Duration.ofMinutes(10);

    private ObservationRule() {}

    static void apply(ReconcileContext context) {
        for (ReplicaState replica : context.unsettled()) {
            if (replica.stage() == ReplicaStage.PENDING || replica.stage() == ReplicaStage.RUNNING) {
                observe(context, replica);
            } else if (replica.stage() != ReplicaStage.WAITING) {
                shown(context, replica);
            }
            settle(context, replica.name());
        }
        // A state from before the last decision lacks the replicas which that decision created: their ids are used.
        context.changedObjects().forEach(seen -> context.markIdUsed(seen.role(), seen.id()));
    }

    /** Marks a replica as settled if, while its object does not change, no rule would change or delete the replica. */
    private static void settle(ReconcileContext context, String name) {
        ReplicaState replica = context.replica(name);
        if (replica == null || replica.drainNotice().isPresent()) {
            return;
        }
        boolean settled = switch (replica.stage()) {
            case PENDING -> replica.everObserved() && replica.blockedSince().isEmpty();
            case RUNNING -> true;
            case SUCCEEDED -> !DeletionRule.runsAgain(context, replica) && !DeletionRule.lingers(context, replica);
            default -> false;
        };
        if (settled) {
            context.markSettled(replica);
        }
    }

    /** Marks an ended or removed replica as observed when its object is first observed. */
    private static void shown(ReconcileContext context, ReplicaState replica) {
        ObservedReplica seen = context.seen(replica.name());
        if (seen == null) {
            return;
        }
        boolean first = !replica.everObserved() && !replica.isOtherObject(seen);
        context.put(first ? known(replica, seen) : replica);
    }

    /**
     * Returns the replica; if it is PENDING and this is the first observation of its own object, a copy that is marked
     * as observed.
     */
    static ReplicaState met(ReplicaState replica, JobObservation observed) {
        ObservedReplica seen = observed.get(replica.name());
        if (seen == null
                || replica.stage() != ReplicaStage.PENDING
                || replica.everObserved()
                || replica.isOtherObject(seen)) {
            return replica;
        }
        return known(replica, seen);
    }

    private static ImmutableReplicaState known(ReplicaState replica, ObservedReplica seen) {
        return ImmutableReplicaState.copyOf(replica)
                .withEverObserved(true)
                .withUid(seen.uid().or(replica::uid));
    }

    private static void observe(ReconcileContext context, ReplicaState replica) {
        ObservedReplica seen = context.seen(replica.name());
        if (seen == null || replica.isOtherObject(seen)) {
            if (replica.everObserved()) {
                deleted(context, replica, replica.isDraining() ? replica.drainNotice() : replaced(seen));
            }
            return;
        }
        observe(context, replica, seen);
    }

    private static Optional<String> replaced(@Nullable ObservedReplica other) {
        return other == null ? Optional.empty() : Optional.of("another object of its name exists");
    }

    /** Updates a replica from its own observed object, emits events, and records a failure. */
    static void observe(ReconcileContext context, ReplicaState replica, ObservedReplica seen) {
        ImmutableReplicaState known = known(replica, seen);
        boolean left = seen.terminating() && known.isDraining();
        if (!left && known.drainNotice().isPresent() && seen.notice().isEmpty()) {
            // The node stays after all. An object that was deleted already is observed as terminating.
            known = known.withDrainNotice(Optional.empty()).withDrainedAt(Optional.empty());
        }
        if (known != replica) {
            context.put(known);
        }
        if (left) {
            // Whatever its exit code: EDL deleted it.
            deleted(context, known, known.drainNotice());
        } else if (seen.phase() == ObservedPhase.SUCCEEDED) {
            context.put(known.withStage(ReplicaStage.SUCCEEDED)
                    .withEndedAt(context.now)
                    .withExitCode(seen.exitCode()));
            context.event(JobEvent.Type.REPLICA_SUCCEEDED, known, known.name() + " succeeded");
        } else if (seen.terminating()) {
            // The deletion caused its exit code. Waiting until the object is gone would cost its grace period.
            deleted(context, known, seen.describe());
        } else if (seen.phase() == ObservedPhase.DISRUPTED) {
            // As after a deletion: the replica did not cause its exit code.
            ImmutableReplicaState failed = ended(context, known, OptionalInt.empty(), seen.reason(), seen.message());
            context.recordFailure(failed, true);
            context.event(JobEvent.Type.REPLICA_FAILED, failed, failed.name() + " was disrupted: " + failed.endWords());
        } else if (seen.phase() == ObservedPhase.FAILED) {
            ImmutableReplicaState failed = ended(context, known, seen.exitCode(), seen.reason(), seen.message());
            context.recordFailure(failed, false);
            if (!TemporaryExitRetry.granted(context.role(failed), failed)) {
                failed(context, failed);
            }
        } else if (known.stage() == ReplicaStage.PENDING) {
            starting(context, known, seen);
        }
    }

    /**
     * Emits the event of a replica's failure. Not for a temporary exit code that is retried: {@link RelaunchRule} emits
     * an event with the delay of the retry.
     */
    static void failed(ReconcileContext context, ReplicaState replica) {
        context.event(JobEvent.Type.REPLICA_FAILED, replica, replica.name() + " failed: " + replica.endWords());
    }

    private static void starting(ReconcileContext context, ImmutableReplicaState known, ObservedReplica seen) {
        if (seen.phase() == ObservedPhase.RUNNING) {
            context.put(known.withStage(ReplicaStage.RUNNING)
                    .withReason(Optional.empty())
                    .withDrainedAt(known.isDraining() ? known.drainedAt() : Optional.empty())
                    .withBlockedSince(Optional.empty()));
            context.event(JobEvent.Type.REPLICA_RUNNING, known, known.name() + " is running");
        } else if (seen.phase() == ObservedPhase.BLOCKED) {
            blocked(context, known, seen);
        } else if (seen.reason().isPresent() && !seen.reason().equals(known.reason())) {
            context.put(known.withReason(seen.reason()));
            context.event(
                    JobEvent.Type.REPLICA_WAITING,
                    known,
                    known.name() + " waits: " + seen.describe().orElse(""));
        }
    }

    private static void blocked(ReconcileContext context, ImmutableReplicaState known, ObservedReplica seen) {
        Instant since = known.blockedSince().orElse(context.now);
        Instant end = since.plus(START_LIMIT);
        if (!end.isAfter(context.now)) {
            ImmutableReplicaState failed = ended(context, known, OptionalInt.empty(), seen.reason(), seen.message());
            context.recordFailure(failed, false);
            context.event(
                    JobEvent.Type.REPLICA_FAILED,
                    failed,
                    failed.name() + " failed: could not start for " + DurationText.of(START_LIMIT) + ": "
                            + failed.endWords());
            return;
        }
        context.wakeAt(end);
        context.put(known.withBlockedSince(since).withReason(seen.reason()));
        if (known.blockedSince().isEmpty()) {
            context.event(
                    JobEvent.Type.REPLICA_BLOCKED,
                    known,
                    known.name() + " cannot start: " + seen.describe().orElse("no reason is known"));
        }
    }

    private static void deleted(ReconcileContext context, ReplicaState replica, Optional<String> why) {
        ReplicaState gone = ended(context, replica, OptionalInt.empty(), Optional.of("deleted"), why);
        context.recordFailure(gone, true);
        context.event(
                JobEvent.Type.REPLICA_DELETED,
                gone,
                gone.name() + " was deleted" + why.map(w -> ": " + w).orElse(""));
    }

    private static ImmutableReplicaState ended(
            ReconcileContext context,
            ReplicaState replica,
            OptionalInt exitCode,
            Optional<String> reason,
            Optional<String> message) {
        ImmutableReplicaState ended = ImmutableReplicaState.copyOf(replica)
                .withStage(ReplicaStage.FAILED)
                .withEndedAt(context.now)
                .withExitCode(exitCode)
                .withReason(reason)
                .withMessage(message);
        context.put(ended);
        return ended;
    }
}
