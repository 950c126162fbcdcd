package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.task.Task;
import java.util.List;

/**
 * One batch of a worker's reports since the last one.
 *
 * @param signs of its minibatches, in order
 * @param touched tasks that it works on
 * @param losses the number of losses
 * @param lossSum their sum
 * @param version the newest that its pushes made
 * @param logged losses for the log
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
