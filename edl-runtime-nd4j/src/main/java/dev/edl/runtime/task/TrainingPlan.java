package dev.edl.runtime.task;

import java.util.Arrays;

/**
 * Plan of the ranges that each epoch hands out, their order and their length; a function of the spec alone.
 *
 * <p>Without a bound on minibatches, the plan has all ranges of all epochs. With a bound, the epoch that reaches the
 * bound hands out only the first ranges of its order, and the last of them is cut. So exactly as many minibatches are
 * trained as the bound allows.
 */
final class TrainingPlan {
    private static final int NONE = -1;

    private final LedgerSpec spec;
    private final TaskRanges ranges;
    private final int epochs;
    private final int[] cutOrder;
    private int cutRange = NONE;
    private int cutMinibatches;
    private long cutRecords;

    TrainingPlan(LedgerSpec spec, TaskRanges ranges) {
        this.spec = spec;
        this.ranges = ranges;
        long perEpoch = ranges.minibatches();
        long bound = spec.maxMinibatches();
        if (perEpoch == 0) {
            epochs = 0;
            cutOrder = new int[0];
        } else if (bound == 0 || bound / perEpoch >= spec.epochs()) {
            epochs = spec.epochs();
            cutOrder = new int[0];
        } else {
            int rest = (int) (bound % perEpoch);
            epochs = (int) (bound / perEpoch) + (rest == 0 ? 0 : 1);
            cutOrder = rest == 0 ? new int[0] : cut(rest);
        }
    }

    private int[] cut(int rest) {
        int[] order = order(spec.shuffle(), epochs - 1);
        int left = rest;
        for (int i = 0; ; i++) {
            int range = order[i];
            int here = ranges.minibatches(range);
            if (here >= left) {
                cutRange = range;
                cutMinibatches = left;
                RecordRange whole = ranges.range(range);
                cutRecords += Math.min(whole.records(), (long) left * spec.minibatchSize());
                return Arrays.copyOf(order, i + 1);
            }
            left -= here;
            cutRecords += ranges.range(range).records();
        }
    }

    private int[] order(boolean shuffle, int epoch) {
        return shuffle ? EpochOrder.shuffled(ranges.count(), spec.seed(), epoch) : EpochOrder.dataset(ranges.count());
    }

    /** Returns the number of epochs that begin, including a cut one; 0 if nothing is trained. */
    int epochs() {
        return epochs;
    }

    private boolean isCut(int epoch) {
        return cutOrder.length > 0 && epoch == epochs - 1;
    }

    /** Returns the ranges of an epoch in hand-out order. */
    int[] order(int epoch) {
        return isCut(epoch) ? cutOrder.clone() : order(spec.shuffle(), epoch);
    }

    /** Returns the ranges of an epoch in dataset order. */
    int[] sortedRanges(int epoch) {
        return isCut(epoch) ? Arrays.stream(cutOrder).sorted().toArray() : EpochOrder.dataset(ranges.count());
    }

    /** Returns the records of a range in an epoch; a cut epoch may have only part of the range. */
    RecordRange range(int epoch, int range) {
        RecordRange whole = ranges.range(range);
        return isCut(epoch) && range == cutRange
                ? new RecordRange(
                        whole.shard(),
                        whole.start(),
                        Math.min(whole.end(), whole.start() + (long) cutMinibatches * spec.minibatchSize()))
                : whole;
    }

    /** Returns the number of minibatches of a range in an epoch; a cut epoch may have only part of the range. */
    int minibatches(int epoch, int range) {
        return isCut(epoch) && range == cutRange ? cutMinibatches : ranges.minibatches(range);
    }

    int tasks(int epoch) {
        return isCut(epoch) ? cutOrder.length : ranges.count();
    }

    long records(int epoch) {
        return isCut(epoch) ? cutRecords : spec.trainingRecords();
    }

    long minibatches(int epoch) {
        return isCut(epoch) ? spec.maxMinibatches() % ranges.minibatches() : ranges.minibatches();
    }

    /** Returns the number of tasks of all epochs. */
    long tasks() {
        return epochs == 0 ? 0 : (epochs - 1L) * ranges.count() + tasks(epochs - 1);
    }

    /** Returns the number of records of all epochs. */
    long records() {
        return epochs == 0 ? 0 : (epochs - 1L) * spec.trainingRecords() + records(epochs - 1);
    }

    /** Returns the number of minibatches of all epochs. */
    long minibatches() {
        return epochs == 0 ? 0 : (epochs - 1L) * ranges.minibatches() + minibatches(epochs - 1);
    }
}
