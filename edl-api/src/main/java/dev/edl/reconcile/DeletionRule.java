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
    static void remove(ReconcileContext context, ReplicaState replica, String why) {
        context.put(ImmutableReplicaState.copyOf(replica)
                .withStage(ReplicaStage.REMOVED)
                .withEndedAt(context.now)
                .withRequestedAt(replica.everObserved() ? Optional.empty() : replica.requestedAt())
                .withReason(why));
        context.event(JobEvent.Type.REPLICA_DELETED, replica, "removed " + replica.name() + ": " + why);
    }

    /** Returns whether an object of the name runs that is not the one that has succeeded. */
    static boolean runsAgain(ReconcileContext context, ReplicaState succeeded) {
        ObservedReplica seen = context.seen(succeeded.name());
        return seen != null && seen.runs() && succeeded.isOtherObject(seen);
    }

    /** Returns whether the replica's own object stays for a sidecar, and was not told to go. */
    static boolean lingers(ReconcileContext context, ReplicaState ended) {
        ObservedReplica seen = context.seen(ended.name());
        return seen != null && seen.lingers() && !seen.terminating() && !ended.isOtherObject(seen);
    }

    static void apply(ReconcileContext context) {
        for (ReplicaState replica : leaving(context)) {
            if (replica.stage() != ReplicaStage.WAITING && lingers(context, replica)) {
                ask(context, replica, "it has ended, and a sidecar keeps its object");
            } else if (replica.stage() == ReplicaStage.REMOVED) {
                removed(context, replica);
            } else if (replica.stage() == ReplicaStage.REPLACED) {
                replaced(context, replica);
            } else if (replica.stage() == ReplicaStage.FAILED) {
                failed(context, replica);
            } else if (replica.stage() == ReplicaStage.SUCCEEDED) {
                ask(context, replica, "it has succeeded before");
            } else {
                suspended(context, replica);
            }
        }
        forgetOldest(context);
        if (!context.ended() || context.plan.policy().cleanup() != CleanupPolicy.NONE) {
            strangers(context);
        }
    }

    /** Returns the workers first and the leader last, so that no worker calls a server that is gone. */
    private static List<ReplicaState> leaving(ReconcileContext context) {
        return context.open(r -> leaves(context, r)).stream()
                .sorted(Comparator.comparing((ReplicaState r) -> rank(context, r)))
                .toList();
    }

    private static boolean leaves(ReconcileContext context, ReplicaState replica) {
        return switch (replica.stage()) {
            case REMOVED, REPLACED, FAILED -> true;
            case WAITING -> context.suspended();
            case SUCCEEDED -> runsAgain(context, replica) || lingers(context, replica);
            default -> false;
        };
    }

    private static int rank(ReconcileContext context, ReplicaState replica) {
        if (replica.role() == RoleType.WORKER) {
            return 0;
        }
        return context.plan.leader().type() == replica.role() ? 2 : 1;
    }

    private static void replaced(ReconcileContext context, ReplicaState replica) {
        ObservedReplica seen = context.seen(replica.name());
        if (seen == null) {
            context.forget(replica);
        } else if (seen.runs()) {
            // It was deleted by hand before it was seen, and the deletion did not come through.
            ask(context, replica, "it has a successor");
        }
    }

    /**
     * Bounds the state of a job whose relaunches have no limit, as each leaves an ended object. What a lineage has spent is known by
     * its newest replica. A forgotten object that runs after all is deleted as a stranger.
     */
    private static void forgetOldest(ReconcileContext context) {
        List<ReplicaState> replaced = context.open(r -> r.stage() == ReplicaStage.REPLACED);
        if (replaced.size() > MOST_REPLACED) {
            replaced.stream()
                    .sorted(Comparator.comparing((ReplicaState r) -> r.endedAt().orElse(r.createdAt())))
                    .limit(replaced.size() - KEPT_REPLACED)
                    .forEach(context::forget);
        }
    }

    /** Its name is taken by the one in whose place it waits. */
    private static void suspended(ReconcileContext context, ReplicaState replica) {
        ObservedReplica seen = context.seen(replica.name());
        if (seen != null && !seen.terminating()) {
            ask(context, replica, SuspendRule.WHY);
        }
    }

    /** What could not start and was given up must not start after all. */
    private static void failed(ReconcileContext context, ReplicaState replica) {
        ObservedReplica seen = context.seen(replica.name());
        if (seen != null && seen.runs()) {
            ask(context, replica, "it has failed");
        }
    }

    private static void removed(ReconcileContext context, ReplicaState replica) {
        ObservedReplica seen = context.seen(replica.name());
        if (seen != null) {
            if (!seen.terminating()) {
                ask(context, replica, replica.reason().orElse("removed"));
            }
            return;
        }
        boolean made = replica.requestedAt().isPresent() && !replica.everObserved();
        boolean recent =
                replica.endedAt().orElse(context.now).plus(ReconcileContext.LAG).isAfter(context.now);
        if (made && recent) {
            ask(context, replica, replica.reason().orElse("removed"));
        } else {
            context.forget(replica);
        }
    }

    /** Asks the substrate to delete, if it was not asked a moment ago. */
    static void ask(ReconcileContext context, ReplicaState replica, String why) {
        if (context.mayDelete(replica.name(), replica.requestedAt())) {
            context.put(ImmutableReplicaState.copyOf(replica).withRequestedAt(context.now));
            context.delete(replica.name(), why);
            context.wakeAt(context.now.plus(ReconcileContext.ASK_AGAIN));
        }
    }

    /** Replicas that no state knows would never be ended by anything. */
    private static void strangers(ReconcileContext context) {
        context.unknownObjects(ObservedReplica::runs).stream()
                .filter(seen -> context.mayDelete(seen.name(), Optional.empty()))
                .forEach(seen -> context.delete(seen.name(), "the job does not know it"));
    }
}
