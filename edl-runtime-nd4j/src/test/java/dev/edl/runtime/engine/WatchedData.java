package dev.edl.runtime.engine;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Dataset that calls a hook with the number of reads before each read, and records the reading threads. */
final class WatchedData implements Dataset {
    private final Dataset data;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final List<Thread> readers = new CopyOnWriteArrayList<>();
    private volatile Before before = read -> {};

    /** Called with 1 for the first read. */
    @FunctionalInterface
    interface Before {
        void read(int number) throws IOException;
    }

    WatchedData(Dataset data) {
        this.data = data;
    }

    void before(Before hook) {
        before = hook;
    }

    int done() {
        return done.get();
    }

    /** Returns the thread of each read, in order. */
    List<Thread> readers() {
        return readers;
    }

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
        if (!Thread.currentThread().getName().contains("-worker-")) {
            // The submitting thread reads the first records.
            data.read(shard, start, end, into);
            return;
        }
        readers.add(Thread.currentThread());
        before.read(begun.incrementAndGet());
        data.read(shard, start, end, into);
        done.incrementAndGet();
    }
}
