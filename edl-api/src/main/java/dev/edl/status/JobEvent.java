package dev.edl.status;

import java.time.Instant;
import java.util.Optional;

/**
 * Event in the life of a job.
 *
 * @param at the time at which it was observed
 * @param type its type
 * @param replica the replica's name, for an event of one replica
 * @param message the text for people
 */
public record JobEvent(Instant at, Type type, Optional<String> replica, String message) {
    /** Types of events. */
    public enum Type {
        /** A replica's creation was requested. */
        REPLICA_CREATED,
        /** A replica waits for resources and will start without help. Emitted once for each replica and reason. */
        REPLICA_WAITING,
        /** A replica cannot start until a person acts: its image does not exist, or its old object is not deleted. */
        REPLICA_BLOCKED,
        /**
         * A replica's node is about to be drained; the message has the consequence. Emitted again when that changes.
         */
        NODE_NOTICE,
        /** A replica started to run. */
        REPLICA_RUNNING,
        /** A replica succeeded. */
        REPLICA_SUCCEEDED,
        /** A replica failed. A temporary exit code that is relaunched emits {@link #RELAUNCHED} only. */
        REPLICA_FAILED,
        /** A replica was deleted, by EDL or by another client. */
        REPLICA_DELETED,
        /** An ended replica gets a successor. */
        RELAUNCHED,
        /** An ended replica gets no successor. */
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
        /** The ended job's time to live is over, and all its objects are removed. */
        JOB_COLLECTED,
        /**
         * This program no longer drives the job and changes nothing of it. Another program took it over, its record was
         * deleted, or the loop itself failed.
         */
        JOB_LOST,
        /** A request failed; it is retried. Emitted once for each cause. */
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
