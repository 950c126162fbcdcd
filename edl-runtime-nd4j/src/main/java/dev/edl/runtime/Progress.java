package dev.edl.runtime;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Current progress of a training, an evaluation or a prediction.
 *
 * @param epoch lowest epoch that is not complete, counted from 0; the last epoch once all are complete
 * @param epochs the number of epochs; 0 for an evaluation or a prediction
 * @param tasksDone training tasks completed, over all epochs
 * @param tasks training tasks in all epochs, without those that an early stop leaves out
 * @param recordsDone records completed, over all epochs, including those before a resume
 * @param records records in all epochs
 * @param step the model version: the largest of the shards' versions; it decreases if a parameter server lost updates
 * @param loss an exponential average of the workers' losses (weight 0.05 for the newest); NaN before the first reported
 *     loss
 * @param recordsPerSecond records completed per second in this run so far; 0 before its first completed task
 * @param elapsed time since this run began
 */
public record Progress(
        int epoch,
        int epochs,
        int tasksDone,
        int tasks,
        long recordsDone,
        long records,
        long step,
        double loss,
        double recordsPerSecond,
        Duration elapsed) {

    /**
     * Returns the remaining time, estimated from the rate of this run so far; empty before the first completed task.
     */
    public Optional<Duration> eta() {
        if (recordsPerSecond <= 0) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis(Math.round(1000 * (records - recordsDone) / recordsPerSecond)));
    }

    /**
     * Returns, for example, {@code task 31/360, epoch 3/30, 48,120 samples/s, loss 0.412, ETA 12s}; for an evaluation
     * or a prediction {@code task 31/360, 48,120 samples/s, ETA 12s}.
     */
    @Override
    public String toString() {
        String eta = eta().map(d -> (d.toMillis() + 999) / 1000 + "s").orElse("unknown");
        if (epochs == 0) {
            return String.format(
                    Locale.ROOT, "task %d/%d, %,.0f samples/s, ETA %s", tasksDone, tasks, recordsPerSecond, eta);
        }
        return String.format(
                Locale.ROOT,
                "task %d/%d, epoch %d/%d, %,.0f samples/s, loss %s, ETA %s",
                tasksDone,
                tasks,
                epoch + 1,
                epochs,
                recordsPerSecond,
                Double.isNaN(loss) ? "unknown" : String.format(Locale.ROOT, "%.3f", loss),
                eta);
    }
}
