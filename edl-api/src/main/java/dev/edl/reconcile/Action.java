package dev.edl.reconcile;

import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.internal.ShortUid;
import java.util.Optional;

/** What a substrate is to do. Each is idempotent: applied twice, the second time changes nothing. */
public sealed interface Action {
    /** What the action concerns, for messages: a replica's name, or the job's. */
    String subject();

    /**
     * Start a replica; nothing when an object of its name exists.
     *
     * @param replica the replica
     */
    record CreateReplica(ReplicaPlan replica) implements Action {
        @Override
        public String subject() {
            return replica.name();
        }

        @Override
        public String toString() {
            return "create " + replica.name();
        }
    }

    /**
     * Remove a replica and its object; nothing when there is none, or another one than the uid says.
     *
     * @param replica the name
     * @param uid the object that is meant, as a precondition; empty where the substrate has no uids, and for an object that was
     *     created and not observed yet. After a take-over it may be the last eight digits of the uid: {@link #concerns} compares it
     * @param why what for, as a person reads it
     * @param graceful whether it may finish what it holds (a signal and a period of grace), or goes at once
     */
    record DeleteReplica(String replica, Optional<String> uid, String why, boolean graceful) implements Action {
        /** The deletion of any object of a name. */
        public DeleteReplica(String replica, String why, boolean graceful) {
            this(replica, Optional.empty(), why, graceful);
        }

        /** Returns whether an object with this uid, of the name, is the one that is meant. */
        public boolean concerns(String object) {
            return uid.isEmpty() || ShortUid.same(uid.get(), object);
        }

        @Override
        public String subject() {
            return replica;
        }

        @Override
        public String toString() {
            return "delete " + replica + ": " + why;
        }
    }

    /**
     * Remove everything that the job made; its time to live after the end is over.
     *
     * @param job the job's name
     */
    record CollectJob(String job) implements Action {
        @Override
        public String subject() {
            return job;
        }

        @Override
        public String toString() {
            return "collect " + job;
        }
    }
}
