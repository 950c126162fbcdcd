package dev.edl.runtime.task;

import java.time.Duration;
import java.util.List;

/**
 * Change of a ledger. The ledger's state is derived from its events alone.
 *
 * <p>Events name their records, so that a reader, such as the proof or a person, needs no ledger to understand them.
 * Their times count from the start of the master that wrote them. They mean nothing to a later master.
 */
public sealed interface LedgerEvent {
    /** The tasks of an epoch became available. */
    record EpochStarted(int epoch) implements LedgerEvent {}

    /** An evaluation of a model version became available. */
    record EvaluationQueued(long modelVersion) implements LedgerEvent {}

    /** A worker received a task. */
    record Leased(Task task, String worker, Duration at) implements LedgerEvent {}

    /** A worker renewed its lease, which counts from this moment. */
    record Touched(int taskId, Duration at) implements LedgerEvent {}

    /** A worker's report was accepted: the records of the task are done. */
    record Completed(Task task, Duration at) implements LedgerEvent {}

    /** A worker returned a task unfinished, for example because it was asked to leave. */
    record GivenBack(Task task) implements LedgerEvent {}

    /** A worker failed a task, which counts as a failure of the task's range. */
    record Failed(Task task, String message) implements LedgerEvent {}

    /** The master took a task back from its worker, without counting a failure. */
    record Recovered(Task task, Reason reason) implements LedgerEvent {}

    /**
     * The master took back a prefetched task that its worker had not begun. The task is next in line. It counts as
     * never handed out, unless it was handed out before.
     */
    record Recalled(Task task) implements LedgerEvent {}

    /** A report came for a task that no worker holds; it was ignored. */
    record LateReport(int taskId) implements LedgerEvent {}

    /**
     * A parameter shard lost pushes of an epoch.
     *
     * @param completed ranges whose completion is withdrawn; whole tasks, neighbours joined, in dataset order
     * @param leased ids of leased tasks whose workers may have pushed before the loss. Their completion will not
     *     count. The range is handed out again to be compared with the parameter shards
     */
    record Reopened(int epoch, List<RecordRange> completed, List<Integer> leased) implements LedgerEvent {
        /** Copies the lists. */
        public Reopened {
            completed = List.copyOf(completed);
            leased = List.copyOf(leased);
        }
    }

    /**
     * A training resumes from a checkpoint; always the first event of a history.
     *
     * @param epochs what the parameter shards hold of each epoch that has begun, from epoch 0 on
     */
    record Resumed(List<ResumedEpoch> epochs) implements LedgerEvent {
        /** Copies the list. */
        public Resumed {
            epochs = List.copyOf(epochs);
        }
    }

    /**
     * Pushes of one epoch that the parameter shards hold.
     *
     * @param completed ranges that every shard has applied; whole tasks, neighbours joined, in dataset order
     * @param begun ranges of which some shard holds a push, but not every shard holds all; whole tasks, neighbours
     *     joined
     */
    record ResumedEpoch(List<RecordRange> completed, List<RecordRange> begun) {
        /** Copies the lists. */
        public ResumedEpoch {
            completed = List.copyOf(completed);
            begun = List.copyOf(begun);
        }
    }

    /**
     * The training stops early: ranges never handed out are left out, the others are finished.
     *
     * @param reason for people
     */
    record Stopped(String reason) implements LedgerEvent {}

    /**
     * An evaluation continues from the parameter shards' record, which replaces the ledger's own state of it.
     *
     * @param known ranges that were measured; whole tasks, neighbours joined, in dataset order
     */
    record EvaluationResumed(long modelVersion, List<RecordRange> known) implements LedgerEvent {
        /** Copies the list. */
        public EvaluationResumed {
            known = List.copyOf(known);
        }
    }

    /** The parameters of an evaluation were lost; none of its results count. */
    record EvaluationLost(long modelVersion) implements LedgerEvent {}

    /**
     * Ranges that a stop left out are due again, because a parameter shard holds part of them.
     *
     * @param ranges whole tasks, neighbours joined, in dataset order
     */
    record Reinstated(int epoch, List<RecordRange> ranges) implements LedgerEvent {
        /** Copies the list. */
        public Reinstated {
            ranges = List.copyOf(ranges);
        }
    }

    /**
     * The previous history was lost; the state is derived from the parameter shards.
     *
     * @param failures how often ranges had failed
     */
    record Rebuilt(List<TaskFailures> failures) implements LedgerEvent {
        /** Copies the list. */
        public Rebuilt {
            failures = List.copyOf(failures);
        }
    }

    /** The training restarts: an earlier master has led, but none of its work is left. */
    record BegunAnew() implements LedgerEvent {}

    /** Cause for taking a task back from its worker. */
    enum Reason {
        /** The worker is gone. */
        GONE,
        /** The lease ran out. */
        EXPIRED,
        /** The worker asked for another task while it held this one. */
        SUPERSEDED,
        /** A parameter shard lost pushes while the worker was busy, so its work must be checked. */
        REOPENED
    }
}
