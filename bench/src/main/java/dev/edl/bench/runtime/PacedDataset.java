package dev.edl.bench.runtime;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Dataset whose reads take a fixed time and no processor, like those from a remote volume. Each reader has this pace,
 * independently of other readers.
 *
 * @param data dataset whose records are read
 * @param nanos minimum time of a read for each record, in nanoseconds
 */
record PacedDataset(Dataset data, long nanos) implements Dataset {
    @Override
    public List<DataShard> shards() {
        return data.shards();
    }

    @Override
    public RecordNames names() {
        return data.names();
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
