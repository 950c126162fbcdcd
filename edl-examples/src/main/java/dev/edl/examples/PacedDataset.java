package dev.edl.examples;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Dataset whose reads wait at some points of the training until the walk-through has shown the point, so that a fast
 * machine does not finish the training before that. A wait lasts at most half a minute.
 */
public final class PacedDataset implements Dataset, WalkThroughGate {
    private static final long BOUND_SECONDS = 30;

    private final Dataset data;
    private final long total;
    private final AtomicLong handedOut = new AtomicLong();
    private final TreeMap<Double, CountDownLatch> holds = new TreeMap<>();

    /**
     * Creates a view of a dataset.
     *
     * @param records number of records that are read in all epochs together
     * @param shares points of the training, from 0 to 1; reading stops at each until {@link #goOn} lets it continue
     */
    public PacedDataset(Dataset data, long records, double... shares) {
        this.data = data;
        this.total = records;
        for (double share : shares) {
            holds.put(share, new CountDownLatch(1));
        }
    }

    @Override
    public void goOn(double share) {
        holds.headMap(share, true).values().forEach(CountDownLatch::countDown);
    }

    @Override
    public boolean reached(double share) {
        return (double) handedOut.get() / total > share;
    }

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
    public int ids() {
        return data.ids();
    }

    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        double before = (double) handedOut.getAndAdd(end - start) / total;
        for (CountDownLatch hold : holds.headMap(before, true).values()) {
            await(hold);
        }
        data.read(shard, start, end, into);
    }

    private static void await(CountDownLatch hold) throws IOException {
        try {
            if (!hold.await(BOUND_SECONDS, TimeUnit.SECONDS)) {
                // The awaited change does not come; the training continues.
                hold.countDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the data are held back");
        }
    }
}
