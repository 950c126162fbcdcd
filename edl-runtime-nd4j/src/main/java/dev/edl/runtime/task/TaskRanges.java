package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Division of shards into task ranges, by arithmetic, so that a million ranges take no memory.
 *
 * <p>Ranges and minibatches are numbered from 0 in dataset order.
 */
public final class TaskRanges {
    private final List<DataShard> shards;
    private final Map<String, Integer> shardIndex = new HashMap<>();
    private final int minibatchSize;
    private final int minibatchesPerTask;
    private final long taskRecords;
    private final int[] firstRange;
    private final int[] firstMinibatch;

    private TaskRanges(List<DataShard> shards, int minibatchSize, int minibatchesPerTask) {
        this.shards = shards;
        this.minibatchSize = minibatchSize;
        this.minibatchesPerTask = minibatchesPerTask;
        this.taskRecords = (long) minibatchSize * minibatchesPerTask;
        this.firstRange = new int[shards.size() + 1];
        this.firstMinibatch = new int[shards.size() + 1];
        for (int s = 0; s < shards.size(); s++) {
            long records = shards.get(s).records();
            shardIndex.put(shards.get(s).name(), s);
            firstRange[s + 1] = Math.addExact(firstRange[s], pieces(records, taskRecords));
            firstMinibatch[s + 1] = Math.addExact(firstMinibatch[s], pieces(records, minibatchSize));
        }
    }

    public static TaskRanges training(LedgerSpec spec) {
        return new TaskRanges(spec.trainingShards(), spec.minibatchSize(), spec.minibatchesPerTask());
    }

    public static TaskRanges evaluation(LedgerSpec spec) {
        return new TaskRanges(spec.evaluationShards(), spec.minibatchSize(), spec.minibatchesPerTask());
    }

    private static int pieces(long records, long size) {
        return Math.toIntExact(records / size + (records % size == 0 ? 0 : 1));
    }

    int count() {
        return firstRange[shards.size()];
    }

    public int minibatches() {
        return firstMinibatch[shards.size()];
    }

    RecordRange range(int index) {
        int s = shardOf(index);
        long start = (index - firstRange[s]) * taskRecords;
        DataShard shard = shards.get(s);
        return new RecordRange(shard.name(), start, Math.min(shard.records(), start + taskRecords));
    }

    int firstMinibatch(int index) {
        int s = shardOf(index);
        return firstMinibatch[s] + (index - firstRange[s]) * minibatchesPerTask;
    }

    int minibatches(int index) {
        return pieces(range(index).records(), minibatchSize);
    }

    /** Returns the index of the range that starts at a record, which must be the first record of a range. */
    int indexOf(String shard, long start) {
        Integer s = shardIndex.get(shard);
        if (s == null || start % taskRecords != 0 || start >= shards.get(s).records()) {
            throw new IllegalArgumentException("no task starts at record " + start + " of shard \"" + shard + "\"; "
                    + (s == null
                            ? "the data has no such shard"
                            : "tasks start at multiples of " + taskRecords + " below "
                                    + shards.get(s).records()));
        }
        return firstRange[s] + (int) (start / taskRecords);
    }

    private int shardOf(int index) {
        int low = 0;
        int high = shards.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (firstRange[middle + 1] <= index) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
