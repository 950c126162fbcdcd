package dev.edl.runtime.data;

import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Dataset whose shards are ranges of the shards of other datasets. Reads from them; owns nothing. */
final class DatasetView implements Dataset {
    /**
     * Consecutive records of another dataset's shard.
     *
     * @param start first of these records within that shard
     * @param records number of these records
     */
    record Part(Dataset dataset, String shard, long start, long records) {}

    private final String name;
    private final Map<String, Part> parts = new LinkedHashMap<>();
    private final List<DataShard> shards;
    private final Dataset widths;
    private final RecordNames names;

    /**
     * Creates a view.
     *
     * @param widths dataset whose widths the view has
     * @param names names of the records
     * @param all ranges by the name of the view's shard; empty ranges are left out
     */
    DatasetView(String name, Dataset widths, RecordNames names, Map<String, Part> all) {
        this.name = name;
        this.names = names;
        this.widths = widths;
        all.forEach((shard, part) -> {
            if (part.records() > 0) {
                parts.put(shard, part);
            }
        });
        this.shards = parts.entrySet().stream()
                .map(e -> new DataShard(e.getKey(), e.getValue().records()))
                .toList();
    }

    @Override
    public List<DataShard> shards() {
        return shards;
    }

    @Override
    public int features() {
        return widths.features();
    }

    @Override
    public int labels() {
        return widths.labels();
    }

    @Override
    public int ids() {
        return widths.ids();
    }

    @Override
    public RecordNames names() {
        return names;
    }

    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        Part part = parts.get(shard);
        if (part == null) {
            throw new IllegalArgumentException(
                    "there is no shard \"" + shard + "\" in " + this + "; shards() has the valid names");
        }
        if (start < 0 || end < start || end > part.records()) {
            throw new IndexOutOfBoundsException("shard \"" + shard + "\": range [" + start + ", " + end
                    + ") is outside its " + part.records() + " records");
        }
        part.dataset().read(part.shard(), part.start() + start, part.start() + end, into);
    }

    /** Returns, for example, {@code take(100) of RecordIoDataset[...]}. */
    @Override
    public String toString() {
        return name;
    }
}
