package dev.edl.runtime.data;

import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.List;

/**
 * Dataset of objects in memory, in one shard; each object is encoded when it is read. See {@link Datasets#of}.
 *
 * <p>Safe for several threads as long as the objects do not change.
 *
 * @param <T> the type of the objects
 */
public final class ListDataset<T> implements Dataset {
    private static final String SHARD = "list";

    private final List<T> items;
    private final int features;
    private final int labels;
    private final int ids;
    private final RowEncoder<? super T> encoder;

    ListDataset(List<? extends T> items, int features, int labels, int ids, RowEncoder<? super T> encoder) {
        this.items = List.copyOf(items);
        this.features = features;
        this.labels = labels;
        this.ids = ids;
        this.encoder = encoder;
    }

    @Override
    public List<DataShard> shards() {
        return List.of(new DataShard(SHARD, items.size()));
    }

    @Override
    public int features() {
        return features;
    }

    @Override
    public int labels() {
        return labels;
    }

    @Override
    public int ids() {
        return ids;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException when the encoder throws or adds another number of rows than 1; the message names the item
     */
    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        if (!shard.equals(SHARD)) {
            throw new IllegalArgumentException(
                    "there is no shard \"" + shard + "\" in " + this + "; shards() has the valid names");
        }
        if (start < 0 || end < start || end > items.size()) {
            throw new IndexOutOfBoundsException(
                    "range [" + start + ", " + end + ") is outside the " + items.size() + " records of " + this);
        }
        BatchCapacityCheck.check(this, shard, end - start, into);
        for (int i = (int) start; i < end; i++) {
            encoder.encodeRow(items.get(i), i, into);
        }
    }

    /** Returns, for example, {@code ListDataset[1000 records of 2 features, 1 labels and 0 ids]}. */
    @Override
    public String toString() {
        return "ListDataset[" + items.size() + " records of " + features + " features, " + labels + " labels and " + ids
                + " ids]";
    }
}
