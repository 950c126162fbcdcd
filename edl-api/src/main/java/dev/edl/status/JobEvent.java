package dev.edl.status;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that happened to a job.
 *
 * @param at when it was noticed
 * @param type what kind
 * @param replica the replica concerned, when there is one
 * @param message as a person reads it
 */
public record JobEvent(Instant at, Type type, Optional<String> replica, String message) {
    /** Kinds of events. */
    public enum Type {
        /** A replica was asked for. */
        REPLICA_CREATED,
        /** A replica waits for room or the like; it will start by itself. Told once of each replica and reason. */
        REPLICA_WAITING,
        /** A replica cannot start until a person acts: its image does not exist, or its old object is not deleted. */
        REPLICA_BLOCKED,
        /** The machine of a replica is about to go: what becomes of the replica. Told again when that changes. */
        NODE_NOTICE,
        /** A replica began to run. */
        REPLICA_RUNNING,
        /** A replica ended with success. */
        REPLICA_SUCCEEDED,
        /** A replica ended otherwise. A temporary exit code that is relaunched has {@link #RELAUNCHED} only. */
        REPLICA_FAILED,
        /** A replica was deleted, by whomever. */
        REPLICA_DELETED,
        /** An ended replica gets a successor. */
        RELAUNCHED,
        /** An ended replica gets no successor. */
        RELAUNCH_LIMIT,
        /** A role has another number of replicas. */
        SCALED,
        /** A role could not be given the number that was asked for; what was begun was taken back. */
        SCALE_FAILED,
        /** The job began to run. */
        JOB_RUNNING,
        /** The job's replicas are stopped on request; it can be resumed. */
        JOB_SUSPENDED,
        /** The job's replicas are created again. */
        JOB_RESUMED,
        /** The job reached its goal. */
        JOB_SUCCEEDED,
        /** The job ended without reaching its goal. */
        JOB_FAILED,
        /** The job was stopped on request. */
        JOB_CANCELLED,
        /** The job ran longer than it may. */
        DEADLINE_EXCEEDED,
        /**
         * The operator that runs the job in place of this program reports news of it: that it restarts, or that it refused a
         * request.
         */
        JOB_MESSAGE,
        /** The ended job's time to live is over and all of it is removed. */
        JOB_COLLECTED,
        /**
         * This program does not drive the job any more and changes nothing of it: another program does, its record was deleted, or
         * the loop itself failed.
         */
        JOB_LOST,
        /** A request failed; it is repeated. Reported once for each cause. */
        SUBSTRATE_FAILED,
        /** The replicas are observed, or the job's state is persisted, again. */
        SUBSTRATE_RECOVERED,
        /** A listener threw and is not called any more. */
        LISTENER_FAILED
    }

    /** An event of the job. */
    public static JobEvent job(Instant at, Type type, String message) {
        return new JobEvent(at, type, Optional.empty(), message);
    }

    /** An event of a replica. */
    public static JobEvent replica(Instant at, Type type, String replica, String message) {
        return new JobEvent(at, type, Optional.of(replica), message);
    }

    /** For example {@code 2026-01-01T00:00:51Z RELAUNCHED Relaunch the worker: elasticdl-mnist-worker-0}. */
    @Override
    public String toString() {
        return at + " " + type + " " + message;
    }
}
