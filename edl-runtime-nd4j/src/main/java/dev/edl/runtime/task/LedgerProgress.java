package dev.edl.runtime.task;

import dev.edl.runtime.task.internal.CountText;
import java.util.Locale;

/**
 * How far a training is.
 *
 * @param epoch the lowest epoch that is not complete, counted from 0; {@code epochs} when all are complete
 * @param epochs how many there are; fewer than the spec's where {@link LedgerSpec#maxMinibatches()} or a stop says so
 * @param tasksDone training tasks complete, of all epochs
 * @param tasksTotal training tasks of all epochs; those that a stop has left out are not among them
 * @param recordsDone training records complete, of all epochs
 * @param recordsTotal training records of all these tasks
 * @param minibatchesTotal minibatches of all these tasks
 * @param leased tasks that workers hold, evaluation included
 * @param queued tasks that wait for a worker, evaluation included; not those of epochs that have not begun
 * @param evaluationsOpen evaluations asked for and not complete
 * @param retries hand-outs of a range that had been handed out before
 * @param recovered tasks taken from their workers without blame
 * @param stopped whether the training was told to end before its time
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
     * For example {@code epoch 3 of 30: 45 of 690 tasks, 2,880 of 43,110 records done, 4 leased, 11 queued}; here epochs
     * are counted from 1.
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
