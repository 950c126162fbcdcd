package dev.edl.status;

import java.time.Instant;
import java.util.Optional;

/**
 * Event of a job, for people and listeners.
 *
 * @param at the time at which EDL observed or decided it
 * @param type its type
 * @param replica the name of the replica that the event concerns; empty for an event of the job
 * @param message the text for people
 */
public record JobEvent(Instant at, Type type, Optional<String> replica, String message) {
    /** Types of events. */
    public enum Type {
        /** A replica's creation was requested, or an existing object was adopted. */
        REPLICA_CREATED,
        /**
         * A replica does not run yet, for example for lack of resources, but will start without a person's help.
         * Emitted once for each replica and reason.
         */
        REPLICA_WAITING,
        /**
         * A replica cannot start: its image or Secret does not exist, or its old object still exists after the grace
         * period.
         */
        REPLICA_BLOCKED,
        /**
         * A replica's node is about to be drained; the message has the consequence for the replica. Emitted again when
         * the notice or the consequence changes.
         */
        NODE_NOTICE,
        /** A replica started to run. */
        REPLICA_RUNNING,
        /** A replica succeeded. */
        REPLICA_SUCCEEDED,
        /** A replica failed. If it is relaunched after a temporary exit code, only {@link #RELAUNCHED} is emitted. */
        REPLICA_FAILED,
        /** A replica was removed by EDL, or its object was deleted by another client. */
        REPLICA_DELETED,
        /** An ended replica gets a successor. */
        RELAUNCHED,
        /**
         * A replica that ended without success gets no successor, since its relaunch limit is reached or its restart
         * policy is NEVER.
         */
        RELAUNCH_LIMIT,
        /** A role was scaled to another number of replicas. */
        SCALED,
        /** A role could not be scaled to the requested number; the change was rolled back. */
        SCALE_FAILED,
        /** The job started to run. */
        JOB_RUNNING,
        /** The job was suspended on request; it can be resumed. */
        JOB_SUSPENDED,
        /** The job was resumed: its replicas are created again. */
        JOB_RESUMED,
        /** The job succeeded. */
        JOB_SUCCEEDED,
        /** The job failed. */
        JOB_FAILED,
        /** The job was cancelled on request. */
        JOB_CANCELLED,
        /** The job ran longer than its deadline. */
        DEADLINE_EXCEEDED,
        /** The operator that runs the job in place of this program reports a restart or a refused request. */
        JOB_MESSAGE,
        /** The ended job's time to live is over; the deletion of all its objects was requested. */
        JOB_COLLECTED,
        /**
         * This program no longer drives the job and leaves its objects unchanged. Another program took the job over,
         * the job record was deleted, or the control loop itself failed.
         */
        JOB_LOST,
        /**
         * A request failed, for example to the substrate or the state journal, and is retried. Emitted once for each
         * cause.
         */
        SUBSTRATE_FAILED,
        /** The replicas are observed again, or the job's state is persisted again. */
        SUBSTRATE_RECOVERED,
        /** A listener threw an exception and is no longer called. */
        LISTENER_FAILED
    }

    /** Creates an event of the job. */
    public static JobEvent job(Instant at, Type type, String message) {
        return new JobEvent(at, type, Optional.empty(), message);
    }

    /** Creates an event of a replica. */
    public static JobEvent replica(Instant at, Type type, String replica, String message) {
        return new JobEvent(at, type, Optional.of(replica), message);
    }

    /** Returns a line such as {@code 2026-01-01T00:00:51Z RELAUNCHED Relaunch the worker: elasticdl-mnist-worker-0}. */
    @Override
    public String toString() {
        return at + " " + type + " " + message;
    }
}
