package dev.edl.bench.runtime;

import dev.edl.runtime.Batch;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A dataset whose reads take a time of their own and no processor, as those from a volume beside the machine do. Each reader
 * has this pace, whatever the others do.
 *
 * @param data where the records are from
 * @param nanos the least time of a read, for each record
 */
record PacedData(Dataset data, long nanos) implements Dataset {
    @Override
    public List<DataShard> shards() {
        return data.shards();
    }

    @Override
    public int features() {
        return data.features();
    }

    @Override
    public int labels() {
        return data.labels();
    }

    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        long until = System.nanoTime() + (end - start) * nanos;
        data.read(shard, start, end, into);
        for (long left = until - System.nanoTime();
                left > 0 && !Thread.currentThread().isInterrupted();
                left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
