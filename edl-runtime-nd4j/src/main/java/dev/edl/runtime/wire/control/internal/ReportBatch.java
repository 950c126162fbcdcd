package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.task.Task;
import java.util.List;

/**
 * A worker's reports since its last batch.
 *
 * @param signs steps of the worker's minibatches, in order
 * @param touched tasks on which the worker has made progress
 * @param losses the number of losses
 * @param lossSum sum of the losses
 * @param version newest version that the worker's pushes made
 * @param logged single losses for the log
 */
public record ReportBatch(
        List<Sign> signs, List<Task> touched, int losses, double lossSum, long version, List<Logged> logged) {
    /** Step of a worker. */
    public enum Sign {
        BEGINS,
        COMPUTED,
        WAITS,
        CONTINUES,
        LEAVES
    }

    /** A loss for the log. */
    public record Logged(float loss, long version) {}
}
