package dev.edl.runtime.data.csv;

import dev.edl.runtime.data.BatchCapacityCheck;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Dataset of CSV files of any size: one shard for each file, named after the file and read in place.
 *
 * <pre>{@code
 * CsvColumns columns = CsvColumns.create().features("age", "hours").hashedIds(100_000, "job").label("income");
 * CsvDataset train = CsvDataset.open(Path.of("census"), columns);
 * }</pre>
 *
 * <p>Opening reads each file once and keeps the offset of each 256th record, in 16 bytes; nothing else is held in
 * memory. A range then reads only its own part of the file.
 *
 * <p>It accepts what {@link CsvTableReader} accepts, except for gzip files: UTF-8 with or without a byte order mark,
 * LF, CRLF or CR, blank lines, and double-quoted fields that contain line ends. All files must have the selected
 * columns; with headers, in any order. The files must not change; none is held open. An empty file, or a header alone,
 * is a shard of 0 records among the other shards. Safe for several threads.
 *
 * <p>For a table that fits into memory, and for standardizing and splitting it, see {@link CsvTable}.
 */
public final class CsvDataset implements Dataset {
    private final Map<String, IndexedCsvFile> sources;
    private final List<DataShard> shards;
    private final CsvLayout layout;

    private CsvDataset(Map<String, IndexedCsvFile> sources, CsvLayout layout) {
        this.sources = sources;
        this.shards = sources.entrySet().stream()
                .map(e -> new DataShard(e.getKey(), e.getValue().records()))
                .toList();
        this.layout = layout;
    }

    /**
     * Opens a file, or the files of a directory in the order of their names.
     *
     * <p>Ignores subdirectories and files whose name starts with a dot or {@code _}.
     *
     * @throws java.nio.file.NoSuchFileException when the path does not exist
     * @throws IOException when a file is not CSV or lacks a selected column, or all files are empty
     */
    public static CsvDataset open(Path path, CsvColumns columns) throws IOException {
        return open(DataFiles.of(path, "CSV"), columns);
    }

    /**
     * Opens files in the given order.
     *
     * @param files at least one; names must be unique
     * @see #open(Path, CsvColumns)
     */
    public static CsvDataset open(List<Path> files, CsvColumns columns) throws IOException {
        Map<String, IndexedCsvFile> sources = new LinkedHashMap<>();
        CsvLayout first = null;
        CsvLayout named = null;
        for (Map.Entry<String, Path> file : DataFiles.named(files).entrySet()) {
            IndexedCsvFile source = IndexedCsvFile.open(file.getValue(), columns, first);
            CsvLayout layout = source.layout();
            sources.put(file.getKey(), source);
            if (layout == null) {
                continue;
            }
            first = first == null ? layout : first;
            named = named == null && layout.header() ? layout : named;
            layout.requireLike(named != null && layout.header() ? named : first);
            if (layout.features() != first.features()) {
                throw new IOException(source.file() + ": must have " + first.features() + " columns of features as in "
                        + first.file() + ", was " + layout.features()
                        + layout.guess().ofOther(first.guess()));
            }
            if (layout.features() + layout.ids() == 0) {
                throw new IOException(source.file() + ": must have a column of features or ids beside the labels");
            }
        }
        if (first == null) {
            throw new IOException(files.get(0) + ": is empty; must have rows, for example 5.1,3.5,0");
        }
        return new CsvDataset(sources, first);
    }

    @Override
    public List<DataShard> shards() {
        return shards;
    }

    @Override
    public int features() {
        return layout.features();
    }

    @Override
    public int labels() {
        return layout.labels();
    }

    @Override
    public int ids() {
        return layout.ids();
    }

    @Override
    public RecordNames names() {
        return layout.recordNames();
    }

    /**
     * {@inheritDoc}
     *
     * @throws BadRowsException when a row is invalid; it names line and column of each problem
     */
    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        IndexedCsvFile source = sources.get(shard);
        if (source == null) {
            throw new IllegalArgumentException(
                    "there is no shard \"" + shard + "\" in " + this + "; shards() has the valid names");
        }
        if (start < 0 || end < start || end > source.records()) {
            throw new IndexOutOfBoundsException(source.file() + ": range [" + start + ", " + end + ") is outside its "
                    + source.records() + " records");
        }
        BatchCapacityCheck.check(this, shard, end - start, into);
        source.read(start, end, into);
    }

    /**
     * Returns doubts about the columns of the first file that has a record.
     *
     * <p>They are a first line that may be a header, and features without a name or with the name of an id. A feature
     * that {@link CsvColumns#features} selects causes no doubt.
     */
    public List<CsvProblem> problems() {
        return layout.problems();
    }

    /** Returns, for example, {@code CsvDataset[1 shards, 32561 records of 6 features, 1 labels and 8 ids]}. */
    @Override
    public String toString() {
        return "CsvDataset[" + shards.size() + " shards, " + records() + " records of " + features() + " features, "
                + labels() + " labels and " + ids() + " ids]";
    }
}
