package dev.edl.reconcile;

import dev.edl.CleanupPolicy;
import dev.edl.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Sees to it that what was removed goes, and forgets what is gone. */
final class DeletionRule {
    /** How many replaced replicas a state keeps while their objects exist; the limit of a record counts on it. */
    static final int MOST_REPLACED = 1_000;

    /** How many stay when there are more, so that they are not sorted for each relaunch. */
    private static final int KEPT_REPLACED = 500;

    private DeletionRule() {}

    /** Takes a replica out; its object follows. */
    static void remove(ReconcileContext turn, ReplicaState replica, String why) {
        turn.put(ImmutableReplicaState.copyOf(replica)
                .withStage(ReplicaStage.REMOVED)
                .withEndedAt(turn.now)
                .withRequestedAt(replica.everObserved() ? Optional.empty() : replica.requestedAt())
                .withReason(why));
        turn.event(JobEvent.Type.REPLICA_DELETED, replica, "removed " + replica.name() + ": " + why);
    }

    /** Returns whether an object of the name runs that is not the one that has succeeded. */
    static boolean runsAgain(ReconcileContext turn, ReplicaState succeeded) {
        ObservedReplica seen = turn.seen(succeeded.name());
        return seen != null && seen.runs() && succeeded.isOtherObject(seen);
    }

    /** Returns whether the replica's own object stays for a sidecar, and was not told to go. */
    static boolean lingers(ReconcileContext turn, ReplicaState ended) {
        ObservedReplica seen = turn.seen(ended.name());
        return seen != null && seen.lingers() && !seen.terminating() && !ended.isOtherObject(seen);
    }

    static void apply(ReconcileContext turn) {
        for (ReplicaState replica : leaving(turn)) {
            if (replica.stage() != ReplicaStage.WAITING && lingers(turn, replica)) {
                ask(turn, replica, "it has ended, and a sidecar keeps its object");
            } else if (replica.stage() == ReplicaStage.REMOVED) {
                removed(turn, replica);
            } else if (replica.stage() == ReplicaStage.REPLACED) {
                replaced(turn, replica);
            } else if (replica.stage() == ReplicaStage.FAILED) {
                failed(turn, replica);
            } else if (replica.stage() == ReplicaStage.SUCCEEDED) {
                ask(turn, replica, "it has succeeded before");
            } else {
                suspended(turn, replica);
            }
        }
        forgetOldest(turn);
        if (!turn.ended() || turn.plan.policy().cleanup() != CleanupPolicy.NONE) {
            strangers(turn);
        }
    }

    /** Returns the workers first and the leader last, so that no worker calls a server that is gone. */
    private static List<ReplicaState> leaving(ReconcileContext turn) {
        return turn.open(r -> leaves(turn, r)).stream()
                .sorted(Comparator.comparing((ReplicaState r) -> rank(turn, r)))
                .toList();
    }

    private static boolean leaves(ReconcileContext turn, ReplicaState replica) {
        return switch (replica.stage()) {
            case REMOVED, REPLACED, FAILED -> true;
            case WAITING -> turn.suspended();
            case SUCCEEDED -> runsAgain(turn, replica) || lingers(turn, replica);
            default -> false;
        };
    }

    private static int rank(ReconcileContext turn, ReplicaState replica) {
        if (replica.role() == RoleType.WORKER) {
            return 0;
        }
        return turn.plan.leader().type() == replica.role() ? 2 : 1;
    }

    private static void replaced(ReconcileContext turn, ReplicaState replica) {
        ObservedReplica seen = turn.seen(replica.name());
        if (seen == null) {
            turn.forget(replica);
        } else if (seen.runs()) {
            // It was deleted by hand before it was seen, and the deletion did not come through.
            ask(turn, replica, "it has a successor");
        }
    }

    /**
     * Bounds the state of a job whose relaunches have no limit, as each leaves an ended object. What a lineage has spent is known by
     * its newest replica. A forgotten object that runs after all is deleted as a stranger.
     */
    private static void forgetOldest(ReconcileContext turn) {
        List<ReplicaState> replaced = turn.open(r -> r.stage() == ReplicaStage.REPLACED);
        if (replaced.size() > MOST_REPLACED) {
            replaced.stream()
                    .sorted(Comparator.comparing((ReplicaState r) -> r.endedAt().orElse(r.createdAt())))
                    .limit(replaced.size() - KEPT_REPLACED)
                    .forEach(turn::forget);
        }
    }

    /** Its name is taken by the one in whose place it waits. */
    private static void suspended(ReconcileContext turn, ReplicaState replica) {
        ObservedReplica seen = turn.seen(replica.name());
        if (seen != null && !seen.terminating()) {
            ask(turn, replica, SuspendRule.WHY);
        }
    }

    /** What could not start and was given up must not start after all. */
    private static void failed(ReconcileContext turn, ReplicaState replica) {
        ObservedReplica seen = turn.seen(replica.name());
        if (seen != null && seen.runs()) {
            ask(turn, replica, "it has failed");
        }
    }

    private static void removed(ReconcileContext turn, ReplicaState replica) {
        ObservedReplica seen = turn.seen(replica.name());
        if (seen != null) {
            if (!seen.terminating()) {
                ask(turn, replica, replica.reason().orElse("removed"));
            }
            return;
        }
        boolean made = replica.requestedAt().isPresent() && !replica.everObserved();
        boolean recent =
                replica.endedAt().orElse(turn.now).plus(ReconcileContext.LAG).isAfter(turn.now);
        if (made && recent) {
            ask(turn, replica, replica.reason().orElse("removed"));
        } else {
            turn.forget(replica);
        }
    }

    /** Asks the substrate to delete, if it was not asked a moment ago. */
    static void ask(ReconcileContext turn, ReplicaState replica, String why) {
        if (turn.mayDelete(replica.name(), replica.requestedAt())) {
            turn.put(ImmutableReplicaState.copyOf(replica).withRequestedAt(turn.now));
            turn.delete(replica.name(), why);
            turn.wakeAt(turn.now.plus(ReconcileContext.ASK_AGAIN));
        }
    }

    /** Replicas that no state knows would never be ended by anything. */
    private static void strangers(ReconcileContext turn) {
        turn.unknownObjects(ObservedReplica::runs).stream()
                .filter(seen -> turn.mayDelete(seen.name(), Optional.empty()))
                .forEach(seen -> turn.delete(seen.name(), "the job does not know it"));
    }
}
