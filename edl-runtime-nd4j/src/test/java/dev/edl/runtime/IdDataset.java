package dev.edl.runtime;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import java.util.List;
import java.util.SplittableRandom;

/** 300 records in 3 shards, each of two skewed ids and a class that depends on both. */
public final class IdDataset implements Dataset {
    static final int RECORDS = 300;
    static final int SHARD = 100;

    private final long[] ids = new long[2 * RECORDS];
    private final float[] labels = new float[RECORDS];

    public IdDataset(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int r = 0; r < RECORDS; r++) {
            ids[2 * r] = (long) (40 * Math.pow(random.nextDouble(), 3));
            ids[2 * r + 1] = 1_000_000_000_000L + random.nextInt(25);
            labels[r] = (ids[2 * r] % 3 == 0) == (ids[2 * r + 1] % 2 == 0) ? 1 : 0;
        }
    }

    long id(int record, int column) {
        return ids[2 * record + column];
    }

    float label(int record) {
        return labels[record];
    }

    @Override
    public List<DataShard> shards() {
        return List.of(new DataShard("ids-0", SHARD), new DataShard("ids-1", SHARD), new DataShard("ids-2", SHARD));
    }

    @Override
    public int features() {
        return 0;
    }

    @Override
    public int labels() {
        return 1;
    }

    @Override
    public int ids() {
        return 2;
    }

    @Override
    public void read(String shard, long start, long end, Batch into) {
        int first = SHARD * (shard.charAt(shard.length() - 1) - '0');
        for (int r = first + (int) start; r < first + (int) end; r++) {
            int row = into.row();
            into.ids()[2 * row] = ids[2 * r];
            into.ids()[2 * row + 1] = ids[2 * r + 1];
            into.labels()[row] = labels[r];
        }
    }
}
