package dev.edl.runtime.data.recordio;

import dev.edl.runtime.data.BatchCapacityCheck;
import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.RecordDecoder;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.data.internal.RecordRowDecoder;
import dev.edl.runtime.model.Batch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Dataset of RecordIO files: one shard for each file, named after the file.
 *
 * <pre>{@code
 * try (RecordIoDataset train = RecordIoDataset.open(Path.of("train"), new LabelledPixels(64, 1f / 16))) {
 *   train.shards();                                // [DataShard[name=train-00000, records=1024], ...]
 *   train.read("train-00000", 128, 192, batch);
 * }
 * }</pre>
 *
 * <p>Opening reads the chunk headers of all files; a range reads only its chunks. Uncompressed records are decoded in
 * place, in a mapping of the file, whose checksum is checked when a chunk is first read. Up to 128 MiB of decompressed
 * chunks are cached; the newest one stays regardless of its size. No file is held open between reads.
 *
 * <p>The files must not change. A file that has become shorter is rejected, but truncating it during a read may end the
 * JVM: replace a file instead of rewriting it. Safe for several threads. Closing frees the chunks, and later reads
 * fail.
 */
public final class RecordIoDataset implements Dataset, Closeable {
    private static final long CACHE_BYTES = 128L << 20;

    private final Map<String, RecordIoReader> readers;
    private final List<DataShard> shards;
    private final RecordFormat format;
    private final RecordIoCache cache = new RecordIoCache(CACHE_BYTES);
    private volatile boolean closed;

    private RecordIoDataset(Map<String, RecordIoReader> readers, RecordFormat format) {
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
     * @param features floats of features that the decoder writes for one record
     * @param labels floats of labels that the decoder writes for one record
     * @throws java.nio.file.NoSuchFileException when the path does not exist
     * @throws CorruptFileException when a file is not a RecordIO file
     * @throws IOException when the directory holds no file
     */
    public static RecordIoDataset open(Path path, int features, int labels, RecordDecoder decoder) throws IOException {
        return open(path, RecordFormat.of(features, labels, 0, decoder));
    }

    /**
     * Opens a file, or the files of a directory, with a decoder that states its widths; see
     * {@link #open(Path, int, int, RecordDecoder)}.
     */
    public static RecordIoDataset open(Path path, RecordFormat format) throws IOException {
        return open(DataFiles.of(path, "RecordIO"), format);
    }

    /**
     * Opens files in the given order.
     *
     * @param files at least one; names must be unique
     * @see #open(Path, int, int, RecordDecoder)
     */
    public static RecordIoDataset open(List<Path> files, int features, int labels, RecordDecoder decoder)
            throws IOException {
        return open(files, RecordFormat.of(features, labels, 0, decoder));
    }

    /**
     * Opens files in the given order.
     *
     * @param files at least one; names must be unique
     * @see #open(Path, RecordFormat)
     */
    public static RecordIoDataset open(List<Path> files, RecordFormat format) throws IOException {
        Map<String, RecordIoReader> readers = new LinkedHashMap<>();
        for (Map.Entry<String, Path> file : DataFiles.named(files).entrySet()) {
            readers.put(file.getKey(), RecordIoReader.open(file.getValue()));
        }
        return new RecordIoDataset(readers, format);
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
        RecordIoReader reader = readers.get(shard);
        if (reader == null) {
            throw new IllegalArgumentException(
                    "there is no shard \"" + shard + "\" in " + this + "; shards() has the valid names");
        }
        if (closed) {
            throw new IOException(reader.file() + ": the dataset is closed");
        }
        reader.checkRange(start, end);
        reader.checkSize();
        BatchCapacityCheck.check(this, shard, end - start, into);
        RecordRowDecoder rows = new RecordRowDecoder(format, reader.file(), into);
        for (long index = start; index < end; ) {
            RecordIoPayload payload = cache.get(reader, reader.chunkOf(index));
            ByteBuffer view = payload.view();
            long stop = Math.min(end, payload.chunk().endRecord());
            for (; index < stop; index++) {
                rows.add(index, payload.select(view, index));
            }
        }
    }

    /** Frees the cached chunks; later reads fail. */
    @Override
    public void close() {
        closed = true;
        cache.clear();
    }

    /** Returns, for example, {@code RecordIoDataset[2 shards, 1437 records of 64 features and 1 labels]}. */
    @Override
    public String toString() {
        return "RecordIoDataset[" + shards.size() + " shards, " + records() + " records of " + features()
                + " features and " + labels() + " labels" + (ids() == 0 ? "" : " and " + ids() + " ids") + "]";
    }
}
