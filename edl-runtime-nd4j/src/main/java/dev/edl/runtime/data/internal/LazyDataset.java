package dev.edl.runtime.data.internal;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.DatasetSource;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Dataset that is opened at its first use. Each call that opens it throws the exceptions that the source throws. */
public final class LazyDataset implements Dataset {
    private final String name;
    private final DatasetSource source;
    private final Consumer<Dataset> check;
    private @Nullable Dataset opened;

    /**
     * Creates a dataset that is not open yet.
     *
     * @param name name of the setting that got the source, for messages
     * @param check throws when the opened dataset does not match the training
     */
    public LazyDataset(String name, DatasetSource source, Consumer<Dataset> check) {
        this.name = name;
        this.source = source;
        this.check = check;
    }

    private synchronized Dataset open() {
        Dataset present = opened;
        if (present == null) {
            try {
                present = source.open();
            } catch (IOException e) {
                throw new UncheckedIOException(name + " cannot be opened: " + e.getMessage(), e);
            }
            check.accept(present);
            opened = present;
        }
        return present;
    }

    @Override
    public List<DataShard> shards() {
        return open().shards();
    }

    @Override
    public int features() {
        return open().features();
    }

    @Override
    public int labels() {
        return open().labels();
    }

    @Override
    public int ids() {
        return open().ids();
    }

    @Override
    public RecordNames names() {
        return open().names();
    }

    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        open().read(shard, start, end, into);
    }

    @Override
    public long records() {
        return open().records();
    }

    /** Returns the text of the open dataset, or that it is not open yet. Does not open it. */
    @Override
    public synchronized String toString() {
        return opened == null ? "a dataset that is not open yet" : opened.toString();
    }

    /** Returns whether the dataset is open. */
    public synchronized boolean isOpen() {
        return opened != null;
    }
}
