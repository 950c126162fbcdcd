package dev.edl.runtime.task;

import dev.edl.runtime.internal.text.CountText;
import java.util.Locale;

/**
 * Progress of a training.
 *
 * @param epoch the lowest epoch that is not complete, counted from 0; {@code epochs} if all are complete
 * @param epochs number of epochs; fewer than the spec's if {@link LedgerSpec#maxMinibatches()} or a stop limits them
 * @param tasksDone complete training tasks of all epochs
 * @param tasksTotal training tasks of all epochs, without those that a stop left out
 * @param recordsDone records of the complete training tasks of all epochs
 * @param recordsTotal records of all training tasks that {@code tasksTotal} counts
 * @param minibatchesTotal minibatches of all training tasks that {@code tasksTotal} counts
 * @param leased tasks that workers hold, evaluation included
 * @param queued tasks that wait for a worker, evaluation included; without epochs that have not begun
 * @param evaluationsOpen evaluations that were requested and are not complete
 * @param retries number of leases of ranges that had been handed out before
 * @param recovered tasks taken back from workers without counting a failure
 * @param stopped whether the training was stopped early
 */
public record LedgerProgress(
        int epoch,
        int epochs,
        long tasksDone,
        long tasksTotal,
        long recordsDone,
        long recordsTotal,
        long minibatchesTotal,
        int leased,
        int queued,
        int evaluationsOpen,
        long retries,
        long recovered,
        boolean stopped) {
    /**
     * Returns text for people, for example {@code epoch 3 of 30: 45 of 690 tasks, 2,880 of 43,110 records done, 4
     * leased, 11 queued}; here epochs are counted from 1.
     */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s%s: %,d of %,d tasks, %,d of %,d records done, %d leased, %d queued%s%s%s",
                stopped ? "stopped, " : "",
                epoch == epochs ? "all epochs complete" : "epoch " + (epoch + 1) + " of " + epochs,
                tasksDone,
                tasksTotal,
                recordsDone,
                recordsTotal,
                leased,
                queued,
                evaluationsOpen == 0 ? "" : ", " + CountText.count(evaluationsOpen, "evaluation") + " open",
                retries == 0 ? "" : ", " + CountText.count(retries, "retry", "retries"),
                recovered == 0 ? "" : ", " + CountText.count(recovered, "task") + " recovered");
    }
}
