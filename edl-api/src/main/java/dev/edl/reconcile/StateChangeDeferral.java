package dev.edl.reconcile;

import dev.edl.status.ReplicaStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a state change can be persisted late: a driver can derive it again from the earlier state and the
 * replicas.
 *
 * <p>Derivable are: an observed replica runs, the reason why one waits, and that a replaced replica is gone. The time
 * of a request is derivable, since repeating a request for an existing replica changes nothing.
 *
 * <p>Every other change must be persisted. The object of an ended replica may be deleted. An id must not be used twice.
 * A replica that was observed may vanish before the next observation, and would be created a second time.
 */
final class StateChangeDeferral {
    private StateChangeDeferral() {}

    /** Returns whether every difference from the persisted state is derivable. */
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
                .withReplicas(Replicas.none())
                .equals(ImmutableJobState.copyOf(kept).withReplicas(Replicas.none()));
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
