package dev.edl.reconcile;

import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Deletes objects that should not exist: those of removed replicas, those of ended replicas that run again or that a
 * sidecar keeps, and running objects of unknown replicas. Forgets removed and replaced replicas whose objects are gone.
 */
final class DeletionRule {
    /**
     * Maximum number of replaced replicas that a state keeps while their objects exist. The size limit of the job
     * record relies on it.
     */
    static final int MOST_REPLACED = 1_000;

    /**
     * Number of replaced replicas that a state keeps when it forgets the oldest, so that not every further relaunch
     * sorts them.
     */
    private static final int KEPT_REPLACED = 500;

    private DeletionRule() {}

    /** Marks a replica as removed from the job, and emits an event. {@link #apply} then deletes its object. */
    static void remove(ReconcileContext context, ReplicaState replica, String why) {
        context.put(ImmutableReplicaState.copyOf(replica)
                .withStage(ReplicaStage.REMOVED)
                .withEndedAt(context.now)
                .withRequestedAt(replica.everObserved() ? Optional.empty() : replica.requestedAt())
                .withReason(why));
        context.event(JobEvent.Type.REPLICA_DELETED, replica, "removed " + replica.name() + ": " + why);
    }

    /** Returns whether an object that has the name of a succeeded replica, but another uid, runs. */
    static boolean runsAgain(ReconcileContext context, ReplicaState succeeded) {
        ObservedReplica seen = context.seen(succeeded.name());
        return seen != null && seen.runs() && succeeded.isOtherObject(seen);
    }

    /**
     * Returns whether an ended replica's own object must be deleted: a sidecar keeps it from ending, and it is not
     * being deleted yet.
     */
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
                ask(context, replica, "it has already succeeded");
            } else {
                suspended(context, replica);
            }
        }
        forgetOldest(context);
        if (!context.ended() || context.plan.policy().cleanup() != CleanupPolicy.NONE) {
            strangers(context);
        }
    }

    /** Returns the replicas to delete, workers first and the leader last, so that no worker calls a deleted server. */
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
            // A user deleted it before its first observation, and the deletion request had no effect.
            ask(context, replica, "it has a successor");
        }
    }

    /**
     * Forgets the oldest replaced replicas. This limits the state of a job with unlimited relaunches, since each leaves
     * an ended object. No count is lost: the newest replica of a slot has the number of used relaunches. If the object
     * of a forgotten replica runs after all, it is deleted as unknown.
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

    /** Deletes the old object whose name a waiting replica of a suspended job has. */
    private static void suspended(ReconcileContext context, ReplicaState replica) {
        ObservedReplica seen = context.seen(replica.name());
        if (seen != null && !seen.terminating()) {
            ask(context, replica, SuspendRule.WHY);
        }
    }

    /** Deletes the object of a failed replica if it starts after all. */
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

    /**
     * Deletes a replica's object, unless the last request was made less than {@link ReconcileContext#ASK_AGAIN} ago, or
     * the retry of a refused request is not due. Schedules a pass that repeats the request.
     */
    static void ask(ReconcileContext context, ReplicaState replica, String why) {
        if (context.mayDelete(replica.name(), replica.requestedAt())) {
            context.put(ImmutableReplicaState.copyOf(replica).withRequestedAt(context.now));
            context.delete(replica.name(), why);
            context.wakeAt(context.now.plus(ReconcileContext.ASK_AGAIN));
        }
    }

    /** Deletes running objects whose names belong to no replica of the state, since no other rule would delete them. */
    private static void strangers(ReconcileContext context) {
        context.unknownObjects(ObservedReplica::runs).stream()
                .filter(seen -> context.mayDelete(seen.name(), Optional.empty()))
                .forEach(seen -> context.delete(seen.name(), "the job has no such replica"));
    }
}
