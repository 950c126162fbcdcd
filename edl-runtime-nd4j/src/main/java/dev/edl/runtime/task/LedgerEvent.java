package dev.edl.runtime.task;

import java.time.Duration;
import java.util.List;

/**
 * Change of a ledger. The ledger's state is derived from its events alone.
 *
 * <p>Events name their records, so that a reader, such as the proof or a person, needs no ledger to understand them.
 * The times in events count from the start of the master that wrote them, so a later master cannot use them.
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
     * The master took back a prefetched task that its worker had not begun. The task's range is next in the queue. It
     * counts as never handed out, unless an earlier task had handed it out.
     */
    record Recalled(Task task) implements LedgerEvent {}

    /** A report for a task that no worker holds was ignored. */
    record LateReport(int taskId) implements LedgerEvent {}

    /**
     * A parameter shard lost pushes of an epoch.
     *
     * @param completed ranges whose completion is withdrawn; each covers whole tasks, adjacent ones are joined, in
     *     dataset order
     * @param leased ids of leased tasks whose workers may have pushed before the loss. A completion of these tasks will
     *     not count, and their ranges are handed out again, to be compared with the parameter shards
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
     * @param epochs for each epoch that has begun, from epoch 0 on: the ranges whose pushes the parameter shards hold
     */
    record Resumed(List<ResumedEpoch> epochs) implements LedgerEvent {
        /** Copies the list. */
        public Resumed {
            epochs = List.copyOf(epochs);
        }
    }

    /**
     * Ranges of one epoch whose pushes the parameter shards hold.
     *
     * @param completed ranges that every shard has applied; each covers whole tasks, adjacent ones are joined, in
     *     dataset order
     * @param begun ranges for which some shard holds a push, but not every shard has applied all; each covers whole
     *     tasks, adjacent ones are joined
     */
    record ResumedEpoch(List<RecordRange> completed, List<RecordRange> begun) {
        /** Copies the lists. */
        public ResumedEpoch {
            completed = List.copyOf(completed);
            begun = List.copyOf(begun);
        }
    }

    /**
     * The training stops early: ranges that were never handed out are left out, all others are finished.
     *
     * @param reason reason of the stop, as text for people
     */
    record Stopped(String reason) implements LedgerEvent {}

    /**
     * An evaluation continues from the state that the parameter shards recorded, which replaces the ledger's state of
     * the evaluation.
     *
     * @param known ranges whose results are recorded; each covers whole tasks, adjacent ones are joined, in dataset
     *     order
     */
    record EvaluationResumed(long modelVersion, List<RecordRange> known) implements LedgerEvent {
        /** Copies the list. */
        public EvaluationResumed {
            known = List.copyOf(known);
        }
    }

    /** The parameters of the version under evaluation were lost; no result of the evaluation counts. */
    record EvaluationLost(long modelVersion) implements LedgerEvent {}

    /**
     * Ranges that an early stop left out must be trained after all, because a parameter shard holds part of their
     * pushes.
     *
     * @param ranges ranges that must be trained; each covers whole tasks, adjacent ones are joined, in dataset order
     */
    record Reinstated(int epoch, List<RecordRange> ranges) implements LedgerEvent {
        /** Copies the list. */
        public Reinstated {
            ranges = List.copyOf(ranges);
        }
    }

    /**
     * The masters before were in another process, so the ledger's state is derived from the parameter shards.
     *
     * @param failures failure counts of ranges, which the parameter shards recorded
     */
    record Rebuilt(List<RangeFailureCount> failures) implements LedgerEvent {
        /** Copies the list. */
        public Rebuilt {
            failures = List.copyOf(failures);
        }
    }

    /** The training restarts: nothing that earlier masters completed is left. */
    record BegunAnew() implements LedgerEvent {}

    /** Cause for taking a task back from its worker. */
    enum Reason {
        /** The worker is gone. */
        GONE,
        /** The lease ran out. */
        EXPIRED,
        /** The worker requested a first task although the ledger still counted it as the holder of this one. */
        SUPERSEDED,
        /** A parameter shard lost pushes while the worker was busy, so its work must be checked. */
        REOPENED
    }
}
