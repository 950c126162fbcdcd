package dev.edl.runtime;

import dev.edl.runtime.task.LedgerProof;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;

/**
 * What a pass makes of its records, seen from both sides: a worker computes what a task comes to, the master takes that
 * of the tasks that it accepts, and has a result when all are done.
 *
 * @param <P> what a task comes to
 * @param <R> the result
 */
interface PassWork<P, R> extends AutoCloseable {
    /** Whether its tasks are predictions. */
    boolean predicts();

    /** Begins a task of so many records; for the worker. */
    P begin(int records);

    /** Adds what the model says of a minibatch, {@code width} floats a record; for the worker. */
    void add(P part, float[] outputs, int width, Batch batch);

    /** Takes what a task came to; once for each task, never two at a time; for the master. */
    void accept(Task task, P part) throws IOException;

    /** The result of all tasks; for the master. A second call, by a second master, has the same effect as one. */
    R finish(long version, LedgerProof proof, Duration took) throws IOException;

    /** What listeners are told of the result. */
    TrainingEvent event(R result);

    /** Ends the run, with or without a result. */
    @Override
    void close() throws IOException;
}
