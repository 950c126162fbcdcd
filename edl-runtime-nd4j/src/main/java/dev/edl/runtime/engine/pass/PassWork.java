package dev.edl.runtime.engine.pass;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.task.LedgerProof;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;

/**
 * Processing of a pass' records. A worker computes the result of each task. The master collects the results of
 * accepted tasks, and returns the final result when all are done. Each implementation accepts one of the two kinds of
 * reports.
 *
 * @param <R> the result
 */
public interface PassWork<R> extends AutoCloseable {
    /** Returns whether its tasks are predictions. */
    boolean predicts();

    /** Begins a task with a number of records; for the worker. */
    PartialTaskResult begin(int records);

    /** Collects the metric sums of a task; once per task, never concurrently; for the master. */
    default void evaluated(Task task, double[][] sums) throws IOException {
        throw new IllegalStateException(task + " is no evaluation, but sums of metrics were reported");
    }

    /** Collects the model's outputs of a task; once per task, never concurrently; for the master. */
    default void predicted(Task task, float[] outputs) throws IOException {
        throw new IllegalStateException(task + " is no prediction, but outputs were reported");
    }

    /** Returns the result of all tasks; for the master. Idempotent, because a second master may repeat the call. */
    R finish(long version, LedgerProof proof, Duration took) throws IOException;

    /** Returns the event that reports the result to listeners. */
    TrainingEvent event(R result);

    /** Ends the run, with or without a result. */
    @Override
    void close() throws IOException;
}
