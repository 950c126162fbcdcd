package dev.edl.runtime.engine.pass;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.task.LedgerProof;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;

/**
 * What a pass makes of its records, seen from both sides: a worker computes what a task comes to, the master takes that
 * of the tasks that it accepts, and has a result when all are done. Each work takes one of the two kinds of reports.
 *
 * @param <R> the result
 */
public interface PassWork<R> extends AutoCloseable {
    /** Returns whether its tasks are predictions. */
    boolean predicts();

    /** Begins a task of so many records; for the worker. */
    PartialTaskResult begin(int records);

    /** Takes the sums of a task's metrics; once for each task, never two at a time; for the master. */
    default void evaluated(Task task, double[][] sums) throws IOException {
        throw new IllegalStateException(task + " is no evaluation, but sums of metrics were reported");
    }

    /** Takes the model's outputs of a task; once for each task, never two at a time; for the master. */
    default void predicted(Task task, float[] outputs) throws IOException {
        throw new IllegalStateException(task + " is no prediction, but outputs were reported");
    }

    /**
     * Returns the result of all tasks; for the master. A second call, by a second master, has the same effect as one.
     */
    R finish(long version, LedgerProof proof, Duration took) throws IOException;

    /** What listeners are told of the result. */
    TrainingEvent event(R result);

    /** Ends the run, with or without a result. */
    @Override
    void close() throws IOException;
}
