package dev.edl.reconcile;

import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.internal.ShortUid;
import java.util.Optional;

/** Idempotent request to a substrate: applying it twice changes nothing the second time. */
public sealed interface Action {
    /** Returns the subject of the action for messages: a replica's name, or the job's. */
    String subject();

    /**
     * Creates a replica; no effect if an object of its name exists.
     *
     * @param replica plan of the replica to create
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
     * Deletes a replica's object. Has no effect if no object of that name exists, or if its uid differs from
     * {@code uid}.
     *
     * @param replica name of the replica, which is that of its object
     * @param uid the object's uid, as a precondition. Empty if the substrate has no uids, or the object was created but
     *     not observed yet. After a takeover it may be the last eight digits of the uid: {@link #concerns} compares it
     * @param why the reason of the deletion, for people
     * @param graceful whether the replica gets a signal and its grace period; otherwise a process is killed at once,
     *     and a pod's object is deleted even if its node does not respond
     */
    record DeleteReplica(String replica, Optional<String> uid, String why, boolean graceful) implements Action {
        /** Creates an action that deletes the object of the given name, regardless of its uid. */
        public DeleteReplica(String replica, String why, boolean graceful) {
            this(replica, Optional.empty(), why, graceful);
        }

        /**
         * Returns whether the uid precondition holds for an object.
         *
         * @param object the uid of the object that has the name, full or its last eight digits
         */
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
     * Removes all objects of a job whose time to live after its end is over.
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
