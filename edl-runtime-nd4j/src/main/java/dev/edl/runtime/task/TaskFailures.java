package dev.edl.runtime.task;

import java.util.Comparator;

/**
 * Failure count of a range since it was last complete.
 *
 * @param type of its task
 * @param pass the epoch, or the model version of an evaluation
 * @param range its records
 * @param count at least 1
 */
public record TaskFailures(TaskType type, long pass, RecordRange range, int count) {
    /** Order by type, pass and position in the data. */
    static final Comparator<TaskFailures> ORDER = Comparator.comparing(TaskFailures::type)
            .thenComparing(TaskFailures::pass)
            .thenComparing(failed -> failed.range().shard())
            .thenComparing(failed -> failed.range().start());
}
