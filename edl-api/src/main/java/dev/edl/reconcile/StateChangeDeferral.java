package dev.edl.reconcile;

import dev.edl.status.ReplicaStage;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a driver may persist a state change late: after a crash, it can derive the change again from the
 * persisted state and the observed replicas.
 *
 * <p>Derivable are: an observed replica runs, the reason why a replica waits, and a replaced or removed replica is
 * gone. The time of a request counts as derivable, since repeating a request for an existing replica changes nothing.
 *
 * <p>Every other change must be persisted at once, for example:
 *
 * <ul>
 *   <li>The end of a replica, since its object may be deleted.
 *   <li>A used id, since it must not be used twice.
 *   <li>The first observation of a replica. Otherwise a replica that vanishes before the next observation would be
 *       created a second time under its id.
 * </ul>
 */
final class StateChangeDeferral {
    private StateChangeDeferral() {}

    /** Returns whether every difference between the persisted state {@code kept} and the next state is derivable. */
    static boolean from(JobState kept, JobState next) {
        return sameJob(kept, next)
                && next.replicas().differing(kept.replicas()).stream().allMatch(name -> from(name, kept, next));
    }

    private static boolean from(String name, JobState kept, JobState next) {
        ReplicaState before = kept.replicas().get(name);
        return before != null && from(before, next.replicas().get(name));
    }

    private static boolean sameJob(JobState kept, JobState next) {
        return ImmutableJobState.copyOf(next)
                .withReplicas(ReplicaStates.none())
                .equals(ImmutableJobState.copyOf(kept).withReplicas(ReplicaStates.none()));
    }

    private static boolean from(ReplicaState kept, @Nullable ReplicaState next) {
        if (kept == next) {
            return true;
        }
        if (next == null) {
            return kept.stage() == ReplicaStage.REPLACED || kept.stage() == ReplicaStage.REMOVED;
        }
        ImmutableReplicaState known = ImmutableReplicaState.copyOf(next);
        return switch (kept.stage()) {
            case PENDING ->
                known.withStage(next.stage() == ReplicaStage.RUNNING ? ReplicaStage.PENDING : next.stage())
                        .withRequestedAt(kept.requestedAt())
                        .withReason(kept.reason())
                        .withBlockedSince(kept.blockedSince())
                        .equals(kept);
            // No rule reads whether a replaced replica was observed.
            case REPLACED ->
                known.withEverObserved(kept.everObserved()).withUid(kept.uid()).equals(kept);
            default -> known.equals(kept);
        };
    }
}
