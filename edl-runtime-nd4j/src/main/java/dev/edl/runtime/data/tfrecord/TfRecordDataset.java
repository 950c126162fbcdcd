package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.BatchCapacityCheck;
import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.data.internal.RecordRowDecoder;
import dev.edl.runtime.model.Batch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Dataset of TFRecord files: one shard for each file, named after the file.
 *
 * <pre>{@code
 * ExampleDecoder decoder = ExampleDecoder.create().floats("image", 784, 1f / 255).label("label");
 * try (TfRecordDataset train = TfRecordDataset.open(Path.of("train"), decoder)) {
 *   train.shards();                                // [DataShard[name=train-00000.tfrecord, records=4096], ...]
 *   train.read("train-00000.tfrecord", 128, 192, batch);
 * }
 * }</pre>
 *
 * <p>{@link TfRecordReader} describes how files are read, and the cost of compressed ones. Uncompressed files are read
 * in any order; split compressed data into many files of moderate size. The files must not change. Safe for several
 * threads. Reads fail after close.
 */
public final class TfRecordDataset implements Dataset, Closeable {
    private final Map<String, TfRecordReader> readers;
    private final List<DataShard> shards;
    private final RecordFormat format;
    private volatile boolean closed;

    private TfRecordDataset(Map<String, TfRecordReader> readers, RecordFormat format) {
        this.readers = readers;
        this.shards = readers.entrySet().stream()
                .map(e -> new DataShard(e.getKey(), e.getValue().records()))
                .toList();
        // Also checks the widths.
        this.format = RecordFormat.of(format.features(), format.labels(), format.ids(), format);
    }

    /**
     * Opens a file, or the files of a directory in the order of their names.
     *
     * <p>Ignores subdirectories and files whose name starts with a dot or {@code _}.
     *
     * @param format the decoder of the records, for example an {@link ExampleDecoder}
     * @throws java.nio.file.NoSuchFileException when the path does not exist
     * @throws CorruptFileException when a file is not a TFRecord file
     * @throws IOException when the directory holds no file
     */
    public static TfRecordDataset open(Path path, RecordFormat format) throws IOException {
        return open(DataFiles.of(path, "TFRecord"), format);
    }

    /**
     * Opens files in the given order.
     *
     * @param files at least one; names must be unique
     * @see #open(Path, RecordFormat)
     */
    public static TfRecordDataset open(List<Path> files, RecordFormat format) throws IOException {
        Map<String, TfRecordReader> readers = new LinkedHashMap<>();
        for (Map.Entry<String, Path> file : DataFiles.named(files).entrySet()) {
            readers.put(file.getKey(), TfRecordReader.open(file.getValue()));
        }
        return new TfRecordDataset(readers, format);
    }

    @Override
    public List<DataShard> shards() {
        return shards;
    }

    @Override
    public int features() {
        return format.features();
    }

    @Override
    public int labels() {
        return format.labels();
    }

    @Override
    public int ids() {
        return format.ids();
    }

    @Override
    public RecordNames names() {
        return format.names();
    }

    /**
     * {@inheritDoc}
     *
     * @throws RecordDecodeException when the decoder rejects a record
     * @throws CorruptFileException when the file violates the format
     */
    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        TfRecordReader reader = readers.get(shard);
        if (reader == null) {
            throw new IllegalArgumentException(
                    "there is no shard \"" + shard + "\" in " + this + "; shards() has the valid names");
        }
        if (closed) {
            throw new IOException(reader.file() + ": the dataset is closed");
        }
        BatchCapacityCheck.check(this, shard, end - start, into);
        reader.each(start, end, new RecordRowDecoder(format, reader.file(), into)::add);
    }

    /** Closes the cursors of compressed files; later reads fail. */
    @Override
    public void close() {
        closed = true;
        readers.values().forEach(TfRecordReader::close);
    }

    /** Returns, for example, {@code TfRecordDataset[2 shards, 1437 records of 64 features and 1 labels]}. */
    @Override
    public String toString() {
        return "TfRecordDataset[" + shards.size() + " shards, " + records() + " records of " + format.features()
                + " features and " + format.labels() + " labels"
                + (format.ids() == 0 ? "" : " and " + format.ids() + " ids") + "]";
    }
}
