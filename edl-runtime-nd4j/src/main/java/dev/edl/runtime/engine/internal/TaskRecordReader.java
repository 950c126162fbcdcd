package dev.edl.runtime.engine.internal;

import dev.edl.runtime.Training;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.internal.math.SplitMixHash;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.Task;
import java.io.IOException;

/**
 * Reads the records of a training's tasks and divides them into minibatches. The result depends only on the training
 * and the task.
 */
public final class TaskRecordReader {
    private final Training training;

    public TaskRecordReader(Training training) {
        this.training = training;
    }

    /** Allocates a buffer for the records of one task. */
    public TaskRecords allocateBuffer() {
        return new TaskRecords(training.data(), training.minibatch() * training.minibatchesPerTask());
    }

    /** Reads a task's records. Their training order depends only on the seed, the epoch and the task. */
    public void read(Task task, TaskRecords into) throws IOException {
        if (task.type() != TaskType.TRAINING) {
            into.read(training.validation().orElseThrow(), task, task.end());
            return;
        }
        into.read(training.data(), task, wholeEnd(task));
        if (training.shuffle()) {
            into.shuffle(
                    training.seed() * 0x9E3779B97F4A7C15L + task.epoch() * 0xBF58476D1CE4E5B9L + task.firstMinibatch());
        }
    }

    /**
     * Returns the end that a task would have if it were not cut short by the bound on minibatches. A cut task trains
     * the first minibatches of the whole task's shuffle, so that a minibatch has the same records if the training
     * resumes with a larger bound.
     */
    private long wholeEnd(Task task) {
        if (!training.shuffle()) {
            return task.end();
        }
        long end = task.start() + (long) training.minibatch() * training.minibatchesPerTask();
        for (DataShard shard : training.data().shards()) {
            if (shard.name().equals(task.shard())) {
                return Math.min(end, shard.records());
            }
        }
        throw new IllegalStateException("the data has no shard \"" + task.shard() + "\"");
    }

    /**
     * Prepares one minibatch of a training task, to be used before the next task is read into these records.
     *
     * @param k index of the minibatch within the task, from 0
     */
    public void fill(Batch minibatch, Task task, int k, TaskRecords records) {
        int from = k * task.minibatchSize();
        int to = Math.min(records.size(), from + task.minibatchSize());
        minibatch.clear(
                training.shuffle()
                        ? "minibatch " + k + " of " + task.range() + ", shuffled in epoch " + (task.epoch() + 1)
                        : task.range(k).toString());
        records.lend(minibatch, from, to);
        minibatch.seed(SplitMixHash.mix(training.seed() ^ SplitMixHash.mix(task.pushId(k))));
        minibatch.gather();
    }
}
