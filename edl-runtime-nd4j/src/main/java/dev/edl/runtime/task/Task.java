package dev.edl.runtime.task;

import dev.edl.runtime.proof.TaskType;

/**
 * One lease of a range of records to one worker.
 *
 * <p>A range keeps its minibatches, and so its push ids, in every attempt; each attempt has a new task id. A task has
 * only numbers and one name, so that any transport can carry it.
 *
 * @param id identifies this lease; counted from 1, never reused
 * @param type kind of work to do on the records
 * @param epoch the epoch of a training task, counted from 0; -1 for any other task
 * @param modelVersion the model version to evaluate or to predict with; -1 for a training task
 * @param shard name of the shard that holds the records
 * @param start index of the first record in the shard, from 0
 * @param end index of the record after the last one; greater than {@code start}
 * @param minibatchSize number of records in a minibatch; the task's last minibatch may have fewer
 * @param firstMinibatch index of the task's first minibatch within its epoch or evaluation, in dataset order from 0
 * @param minibatchesPerEpoch number of minibatches of the whole epoch or evaluation
 * @param attempt number of earlier hand-outs of the range since it was last complete; 0 for the first. If above 0, part
 *     of it may already be applied, and the worker queries the parameter shards where to resume
 */
public record Task(
        int id,
        TaskType type,
        int epoch,
        long modelVersion,
        String shard,
        long start,
        long end,
        int minibatchSize,
        int firstMinibatch,
        int minibatchesPerEpoch,
        int attempt) {

    /** Validates that the numbers are consistent. */
    public Task {
        if (id < 1 || start < 0 || end <= start || minibatchSize < 1 || firstMinibatch < 0 || attempt < 0) {
            throw new IllegalArgumentException("a task needs id >= 1, 0 <= start < end, minibatchSize >= 1,"
                    + " firstMinibatch >= 0 and attempt >= 0, was id " + id + ", " + shard + "[" + start + ".." + end
                    + "), minibatchSize " + minibatchSize + ", firstMinibatch " + firstMinibatch + ", attempt "
                    + attempt);
        }
        long behind = firstMinibatch + (end - start - 1) / minibatchSize + 1;
        if (behind > minibatchesPerEpoch) {
            throw new IllegalArgumentException("task " + id + ": its minibatches end at " + behind
                    + ", but minibatchesPerEpoch is " + minibatchesPerEpoch);
        }
    }

    /** Returns the number of records, at least 1. */
    public long records() {
        return end - start;
    }

    /** Returns all records of the task. */
    public RecordRange range() {
        return new RecordRange(shard, start, end);
    }

    /** Returns the number of minibatches, at least 1. */
    public int minibatches() {
        return (int) ((end - start - 1) / minibatchSize + 1);
    }

    /**
     * Returns the records of one minibatch.
     *
     * @param k the minibatch within the task, counted from 0
     * @throws IndexOutOfBoundsException outside 0 (inclusive) to {@link #minibatches()} (exclusive)
     */
    public RecordRange range(int k) {
        long from = start + (long) checked(k) * minibatchSize;
        return new RecordRange(shard, from, Math.min(end, from + minibatchSize));
    }

    /**
     * Returns the push id of one minibatch of a training task, see {@link PushIds}.
     *
     * @param k the minibatch within the task, counted from 0
     * @throws IndexOutOfBoundsException outside 0 (inclusive) to {@link #minibatches()} (exclusive)
     * @throws IllegalStateException if this is not a training task
     */
    public long pushId(int k) {
        if (type != TaskType.TRAINING) {
            throw new IllegalStateException(this + " pushes nothing: only training tasks have push ids");
        }
        return new PushIds(minibatchesPerEpoch).pushId(epoch, firstMinibatch + checked(k));
    }

    private int checked(int k) {
        if (k < 0 || k >= minibatches()) {
            throw new IndexOutOfBoundsException("minibatch " + k + " of " + this + ", which has " + minibatches());
        }
        return k;
    }

    /**
     * Returns text for people, for example {@code task 7: train-00003[128..192) of epoch 2, attempt 1}; here epochs
     * are counted from 1.
     */
    @Override
    public String toString() {
        return "task " + id + ": " + range()
                + (type == TaskType.TRAINING ? " of epoch " + (epoch + 1) : " at version " + modelVersion)
                + (attempt == 0 ? "" : ", attempt " + attempt);
    }
}
