package dev.edl.runtime.engine.pass;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;

/**
 * The master's work in one run of a pass: collects the results of accepted tasks, and returns the final result when all
 * are done. Each implementation accepts one of the two kinds of reports.
 *
 * @param <R> the result
 */
public interface PassResultCollector<R> extends AutoCloseable {
    /** Collects the metric sums of a task. The master calls it once per task, never concurrently. */
    default void evaluated(Task task, double[][] sums) throws IOException {
        throw new IllegalStateException(task + " is not an evaluation, but sums of metrics were reported");
    }

    /** Collects the model's outputs of a task. The master calls it once per task, never concurrently. */
    default void predicted(Task task, float[] outputs) throws IOException {
        throw new IllegalStateException(task + " is not a prediction, but outputs were reported");
    }

    /**
     * Returns the result of all tasks. Called by the master; idempotent, because a second master may repeat the call.
     */
    R finish(long version, LedgerProof proof, Duration took) throws IOException;

    /** Returns the event that reports the result to listeners. */
    TrainingEvent event(R result);

    /** Releases the resources of the run, whether it has a result or not. */
    @Override
    void close() throws IOException;
}
