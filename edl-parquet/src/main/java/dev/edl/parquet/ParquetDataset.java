package dev.edl.parquet;

import dev.edl.parquet.ParquetColumns.Use;
import dev.edl.runtime.data.BatchCapacityCheck;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dataset of Parquet files: one shard for each row group, named after the file and the group's number from 0.
 *
 * <pre>{@code
 * ParquetColumns columns = ParquetColumns.create().features("age", "hours").hashedIds(100_000, "job").label("income");
 * ParquetDataset train = ParquetDataset.open(Path.of("census"), columns);
 * train.shards();                                   // [DataShard[name=part-0.parquet#0, records=100000], ...]
 * }</pre>
 *
 * <p>Opening reads the footer of each file. The first read of a row group decodes its selected columns; the result
 * stays in memory while it is among the most recent {@value #KEPT} bytes of decoded groups. A value that its use does
 * not allow is therefore an error for each range of its row group. A row group must fit into half of the JVM's memory.
 *
 * <p>The files must not change; none is held open. Safe for several threads.
 */
public final class ParquetDataset implements Dataset {
    /** Maximum size of the decoded row groups in memory, in bytes; the most recent one is always there. */
    public static final long KEPT = 256L << 20;

    /** Row group of a file. Its lock lets one thread decode it while others wait. */
    private static final class RowGroup {
        private final ParquetSource source;
        private final int group;
        private final long rows;

        RowGroup(ParquetSource source, int group, long rows) {
            this.source = source;
            this.group = group;
            this.rows = rows;
        }
    }

    private final Map<String, RowGroup> groups;
    private final List<DataShard> shards;
    private final ParquetColumns columns;
    private final long kept;
    private final Map<RowGroup, Batch> decoded = new LinkedHashMap<>(16, 0.75f, true);
    private long decodedBytes;

    private ParquetDataset(Map<String, RowGroup> groups, ParquetColumns columns, long kept) {
        this.groups = groups;
        this.shards = groups.entrySet().stream()
                .map(e -> new DataShard(e.getKey(), e.getValue().rows))
                .toList();
        this.columns = columns;
        this.kept = kept;
    }

    /**
     * Opens a file, or the files of a directory in the order of their names.
     *
     * <p>Ignores subdirectories and files whose name starts with a dot or {@code _}, so a folder that Spark wrote can
     * be opened.
     *
     * @throws java.nio.file.NoSuchFileException when the path does not exist
     * @throws IOException when a file is no Parquet file, lacks a selected column, or has it with a type that its use
     *     does not allow; the message names file and column
     */
    public static ParquetDataset open(Path path, ParquetColumns columns) throws IOException {
        return open(DataFiles.of(path, "Parquet"), columns);
    }

    /**
     * Opens files in the given order.
     *
     * @param files at least one; names must be unique
     * @see #open(Path, ParquetColumns)
     */
    public static ParquetDataset open(List<Path> files, ParquetColumns columns) throws IOException {
        return open(files, columns, KEPT);
    }

    static ParquetDataset open(List<Path> files, ParquetColumns columns, long kept) throws IOException {
        // Only checks the widths.
        RecordFormat.of(
                columns.count(Use.FEATURE), columns.count(Use.LABEL), columns.count(Use.ID), (record, into) -> {});
        Map<String, RowGroup> groups = new LinkedHashMap<>();
        for (Map.Entry<String, Path> file : DataFiles.named(files).entrySet()) {
            ParquetSource source = ParquetSource.open(file.getValue(), columns);
            List<Long> rows = source.rowGroups();
            for (int i = 0; i < rows.size(); i++) {
                groups.put(file.getKey() + "#" + i, new RowGroup(source, i, rows.get(i)));
            }
        }
        return new ParquetDataset(groups, columns, kept);
    }

    @Override
    public List<DataShard> shards() {
        return shards;
    }

    @Override
    public int features() {
        return columns.count(Use.FEATURE);
    }

    @Override
    public int labels() {
        return columns.count(Use.LABEL);
    }

    @Override
    public int ids() {
        return columns.count(Use.ID);
    }

    @Override
    public RecordNames names() {
        return columns.recordNames();
    }

    /**
     * {@inheritDoc}
     *
     * @throws RecordDecodeException when a value of the row group is not allowed; it names file, record and column
     * @throws IOException when the row group is damaged; the message names file, row group and column
     */
    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        RowGroup group = groups.get(shard);
        if (group == null) {
            throw new IllegalArgumentException("there is no shard \"" + shard + "\" in " + this);
        }
        if (start < 0 || end < start || end > group.rows) {
            throw new IndexOutOfBoundsException(group.source.file() + ": range [" + start + ", " + end
                    + ") is outside the " + group.rows + " records of row group " + group.group);
        }
        BatchCapacityCheck.check(this, shard, end - start, into);
        if (start == end) {
            return;
        }
        Batch rows = decoded(group);
        for (long row = start; row < end; row++) {
            into.addRow(rows, (int) row, row);
        }
    }

    private Batch decoded(RowGroup group) throws IOException {
        Batch known = known(group);
        if (known != null) {
            return known;
        }
        synchronized (group) {
            Batch meanwhile = known(group);
            return meanwhile != null ? meanwhile : keep(group, group.source.decode(group.group));
        }
    }

    private @Nullable Batch known(RowGroup group) {
        synchronized (decoded) {
            return decoded.get(group);
        }
    }

    private Batch keep(RowGroup group, Batch rows) {
        synchronized (decoded) {
            decoded.put(group, rows);
            decodedBytes += group.source.decodedBytes(group.group);
            Iterator<RowGroup> oldest = decoded.keySet().iterator();
            while (decodedBytes > kept && decoded.size() > 1) {
                RowGroup out = oldest.next();
                decodedBytes -= out.source.decodedBytes(out.group);
                oldest.remove();
            }
        }
        return rows;
    }

    /** Returns how many row groups are decoded in memory. */
    int inMemory() {
        synchronized (decoded) {
            return decoded.size();
        }
    }

    /** Returns, for example, {@code ParquetDataset[8 shards, 45840 records of 13 features, 1 labels and 26 ids]}. */
    @Override
    public String toString() {
        return "ParquetDataset[" + shards.size() + " shards, " + records() + " records of " + features() + " features, "
                + labels() + " labels and " + ids() + " ids]";
    }
}
