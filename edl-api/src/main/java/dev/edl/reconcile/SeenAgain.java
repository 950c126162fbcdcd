package dev.edl.reconcile;

import dev.edl.status.ReplicaStage;
import org.jspecify.annotations.Nullable;

/**
 * What of a state is found again by whoever knows only an earlier one and looks at what is there: that a replica which was seen
 * runs, why one waits, that what has left its place is gone; and when one was asked for, since to ask earlier for what is there
 * changes nothing. Nothing else is: an end has to be kept, since its object may be
 * deleted by anybody; an id, since it must not be used twice; that a replica was seen at all, since it may be gone before the
 * next look and would be made a second time.
 */
final class SeenAgain {
    private SeenAgain() {}

    /** Whether all that is different from the earlier state is of this kind. */
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
                        .withAsked(kept.asked())
                        .withReason(kept.reason())
                        .withBlocked(kept.blocked())
                        .equals(kept);
            // It has left its place: whether it was seen is no longer asked.
            case REPLACED -> known.withSeen(kept.seen()).withUid(kept.uid()).equals(kept);
            default -> known.equals(kept);
        };
    }
}
