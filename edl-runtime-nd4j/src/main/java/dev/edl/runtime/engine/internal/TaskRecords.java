package dev.edl.runtime.engine.internal;

import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * All records of one task, and the order in which they are used. The buffer is reused for the next task. Used by one
 * thread at a time.
 */
public final class TaskRecords {
    private final Batch records;
    private int[] order = {};
    private long start;

    /**
     * Allocates a buffer for the records of one task.
     *
     * @param data dataset that defines the numbers of features, labels and ids of a record
     * @param capacity number of records of the largest task
     */
    public TaskRecords(Dataset data, int capacity) {
        this.records = new Batch(capacity, data.features(), data.labels(), data.ids(), List.of());
    }

    /**
     * Replaces the content by the records of a task, in dataset order.
     *
     * @param end index of the record after the last one to read; may be above the task's end if the task is cut short
     * @throws IOException if the records cannot be read, or the dataset returned another number of records
     */
    public void read(Dataset data, Task task, long end) throws IOException {
        records.clear(task.shard());
        start = task.start();
        data.read(task.shard(), start, end, records);
        int count = Math.toIntExact(end - start);
        if (records.size() != count) {
            throw new IOException(task.shard() + "[" + start + ".." + end + "): expected " + count
                    + " records, the dataset gave " + records.size());
        }
        order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
    }

    /**
     * Shuffles the order in which the records are used; the order depends only on the seed and the number of records.
     */
    public void shuffle(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
    }

    /** Returns the number of records. */
    public int size() {
        return order.length;
    }

    /**
     * Adds the records {@code from} to {@code to - 1} of the order to a minibatch, which must be used before the next
     * task is read. Copies features only if needed.
     */
    public void lend(Batch minibatch, int from, int to) {
        for (int i = from; i < to; i++) {
            minibatch.lendRow(records, order[i], start + order[i]);
        }
    }

    /** Adds copies of the records {@code from} to {@code to - 1} of the order to a minibatch. */
    public void copy(Batch minibatch, int from, int to) {
        for (int i = from; i < to; i++) {
            minibatch.addRow(records, order[i], start + order[i]);
        }
    }

    /** Returns the records, in dataset order. */
    public Batch batch() {
        return records;
    }
}
