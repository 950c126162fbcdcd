package dev.edl.runtime.task;

import dev.edl.runtime.proof.TaskType;
import java.util.Comparator;

/**
 * Failure count of a range since it was last complete.
 *
 * @param type type of the tasks for the range
 * @param pass epoch of a training pass, or model version of an evaluation pass
 * @param range records of the range
 * @param count number of failures, at least one
 */
public record RangeFailureCount(TaskType type, long pass, RecordRange range, int count) {
    /** Order by type, pass and position in the data. */
    static final Comparator<RangeFailureCount> ORDER = Comparator.comparing(RangeFailureCount::type)
            .thenComparing(RangeFailureCount::pass)
            .thenComparing(failed -> failed.range().shard())
            .thenComparing(failed -> failed.range().start());
}
