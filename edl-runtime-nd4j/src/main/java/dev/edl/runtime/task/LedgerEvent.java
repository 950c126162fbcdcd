package dev.edl.runtime.task;

import java.time.Duration;
import java.util.List;

/**
 * Something that happened to a ledger. The ledger's state is the sum of its events, and nothing else.
 *
 * <p>Events name the records they speak of, so that a reader (the proof, a person) needs no ledger to understand them. Their
 * times are those of the master that wrote them, counted from its start: they say nothing to the master after it.
 */
public sealed interface LedgerEvent {
    /** The tasks of an epoch became available. */
    record EpochStarted(int epoch) implements LedgerEvent {}

    /** An evaluation of a model version became available. */
    record EvaluationQueued(long modelVersion) implements LedgerEvent {}

    /** A worker received a task. */
    record Leased(Task task, String worker, Duration at) implements LedgerEvent {}

    /** A worker gave a sign of life; its lease counts from this moment. */
    record Touched(int taskId, Duration at) implements LedgerEvent {}

    /** A worker's report was accepted: the records of the task are done. */
    record Completed(Task task, Duration at) implements LedgerEvent {}

    /** A worker returned a task unfinished, as one does that is asked to leave. */
    record GivenBack(Task task) implements LedgerEvent {}

    /** A worker could not do a task; this counts as a failure of the task's range. */
    record Failed(Task task, String message) implements LedgerEvent {}

    /** A task was taken from its worker, without blame. */
    record Recovered(Task task, Reason reason) implements LedgerEvent {}

    /**
     * A task was taken back that its worker held to read its records, and had not begun. It is next in line and counts as
     * never handed out, unless it was handed out before.
     */
    record Recalled(Task task) implements LedgerEvent {}

    /** A report came for a task that no worker holds (any more); it was ignored. */
    record LateReport(int taskId) implements LedgerEvent {}

    /**
     * A parameter shard lost pushes of an epoch.
     *
     * @param completed ranges whose completion is withdrawn; whole tasks, neighbours joined, in dataset order
     * @param leased ids of tasks out with workers that may have pushed before the loss; their completion will not
     *     count, the range is handed out once more to be checked against the parameter shards
     */
    record Reopened(int epoch, List<RecordRange> completed, List<Integer> leased) implements LedgerEvent {
        /** Copies the lists. */
        public Reopened {
            completed = List.copyOf(completed);
            leased = List.copyOf(leased);
        }
    }

    /**
     * A training goes on from a checkpoint; always the first event of a history.
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
     * What the parameter shards hold of one epoch.
     *
     * @param completed ranges that every shard has applied; whole tasks, neighbours joined, in dataset order
     * @param begun ranges of which a shard holds a push, but not every shard all of them; whole tasks, neighbours joined
     */
    record ResumedEpoch(List<RecordRange> completed, List<RecordRange> begun) {
        /** Copies the lists. */
        public ResumedEpoch {
            completed = List.copyOf(completed);
            begun = List.copyOf(begun);
        }
    }

    /**
     * The training ends before its time: what was never handed out is left out, what was is finished.
     *
     * @param reason for people
     */
    record Stopped(String reason) implements LedgerEvent {}

    /**
     * An evaluation continues with what the parameter shards' record has of it, in the place of what was known before.
     *
     * @param known ranges that were measured; whole tasks, neighbours joined, in dataset order
     */
    record EvaluationResumed(long modelVersion, List<RecordRange> known) implements LedgerEvent {
        /** Copies the list. */
        public EvaluationResumed {
            known = List.copyOf(known);
        }
    }

    /** The parameters of an evaluation were lost; nothing of it counts. */
    record EvaluationLost(long modelVersion) implements LedgerEvent {}

    /**
     * A stop left ranges out of which a parameter shard holds a part; they are due.
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
     * The history before this one was lost; what was done is known from the parameter shards.
     *
     * @param failures how often ranges had failed
     */
    record Rebuilt(List<TaskFailures> failures) implements LedgerEvent {
        /** Copies the list. */
        public Rebuilt {
            failures = List.copyOf(failures);
        }
    }

    /** An earlier master has led, and nothing is left of what it did. */
    record BegunAnew() implements LedgerEvent {}

    /** Why a task was taken from its worker. */
    enum Reason {
        /** The worker is gone. */
        GONE,
        /** The lease ran out. */
        EXPIRED,
        /** The worker asked for another task while it held this one. */
        SUPERSEDED,
        /** A parameter shard lost pushes while the worker was busy, so its work has to be checked. */
        REOPENED
    }
}
