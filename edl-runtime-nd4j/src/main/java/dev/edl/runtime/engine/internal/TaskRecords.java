package dev.edl.runtime.engine.internal;

import dev.edl.runtime.Batch;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** The records of one task, read whole, and the order in which they are used. Reused for the next task; for one thread at a time. */
public final class TaskRecords {
    private final Batch records;
    private int[] order = {};
    private long start;

    /**
     * Room for the records of one task.
     *
     * @param data gives the widths of a record
     * @param capacity records of the largest task
     */
    public TaskRecords(Dataset data, int capacity) {
        this.records = new Batch(capacity, data.features(), data.labels(), data.ids(), List.of());
    }

    /**
     * Replaces what is in it by the records of a task, in the order of the dataset.
     *
     * @param end the record behind the last one to read; a task that is cut short may read the whole range
     * @throws IOException when they cannot be read, or the dataset gave another number of them
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

    /** Changes the order to one that depends on the seed alone. */
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

    /** Adds some records to a minibatch that is used before the next task is read: features are copied when needed. */
    public void lend(Batch minibatch, int from, int to) {
        for (int i = from; i < to; i++) {
            minibatch.lendRow(records, order[i], start + order[i]);
        }
    }

    /** Adds copies of some records to a minibatch. */
    public void copy(Batch minibatch, int from, int to) {
        for (int i = from; i < to; i++) {
            minibatch.addRow(records, order[i], start + order[i]);
        }
    }

    /** Returns the records themselves, in the order of the dataset. */
    public Batch batch() {
        return records;
    }
}
