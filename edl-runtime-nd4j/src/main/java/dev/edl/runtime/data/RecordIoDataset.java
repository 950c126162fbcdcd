package dev.edl.runtime.data;

import dev.edl.runtime.Batch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * RecordIO files as a dataset: one shard a file, named by the file's name.
 *
 * <pre>{@code
 * try (RecordIoDataset train = RecordIoDataset.open(Path.of("train"), new LabelledPixels(64, 1f / 16))) {
 *   train.shards();                                // [DataShard[name=train-00000, records=1024], ...]
 *   train.read("train-00000", 128, 192, batch);
 * }
 * }</pre>
 *
 * <p>Opening reads the chunk headers of all files. A range reads only the chunks it lies in; up to 128 MiB of decoded
 * chunks are kept, the newest one whatever its size. No file is held open between reads. Safe for several threads.
 * Closing frees the chunks, and reads fail from then on.
 */
public final class RecordIoDataset implements Dataset, Closeable {
    private static final long CACHE_BYTES = 128L << 20;

    private final Map<String, RecordIoReader> readers;
    private final List<DataShard> shards;
    private final int features;
    private final int labels;
    private final RecordDecoder decoder;
    private final RecordIoCache cache = new RecordIoCache(CACHE_BYTES);
    private volatile boolean closed;

    private RecordIoDataset(Map<String, RecordIoReader> readers, int features, int labels, RecordDecoder decoder) {
        this.readers = readers;
        this.shards = readers.entrySet().stream()
                .map(e -> new DataShard(e.getKey(), e.getValue().records()))
                .toList();
        this.features = features;
        this.labels = labels;
        this.decoder = decoder;
    }

    /**
     * Opens a file, or the files of a directory in the order of their names; its sub-directories and the files whose
     * name starts with a dot are no part of it.
     *
     * @param features floats of features that the decoder writes for one record
     * @param labels floats of labels that the decoder writes for one record
     * @throws NoSuchFileException when the path does not exist
     * @throws CorruptFileException when a file is no RecordIO file
     * @throws IOException when the directory holds no file
     */
    public static RecordIoDataset open(Path path, int features, int labels, RecordDecoder decoder) throws IOException {
        if (Files.notExists(path)) {
            throw new NoSuchFileException(path.toString(), null, "there is no such RecordIO file or directory");
        }
        return open(Files.isDirectory(path) ? filesOf(path) : List.of(path), features, labels, decoder);
    }

    /** Opens labelled images; see {@link #open(Path, int, int, RecordDecoder)}. */
    public static RecordIoDataset open(Path path, LabelledPixels images) throws IOException {
        return open(path, images.features(), images.labels(), images);
    }

    /**
     * Opens files in the given order.
     *
     * @param files at least one; no two of the same name
     * @see #open(Path, int, int, RecordDecoder)
     */
    public static RecordIoDataset open(List<Path> files, int features, int labels, RecordDecoder decoder)
            throws IOException {
        if (files.isEmpty() || features < 1 || labels < 0) {
            throw new IllegalArgumentException("a dataset needs at least one file, features >= 1 and labels >= 0, was "
                    + files.size() + " files, " + features + ", " + labels);
        }
        Map<String, RecordIoReader> readers = new LinkedHashMap<>();
        for (Path file : files) {
            RecordIoReader reader = RecordIoReader.open(file);
            RecordIoReader other = readers.putIfAbsent(nameOf(file), reader);
            if (other != null) {
                throw new IllegalArgumentException(
                        "two files of one dataset must not have the same name, was " + other.file() + " and " + file);
            }
        }
        return new RecordIoDataset(readers, features, labels, decoder);
    }

    @Override
    public List<DataShard> shards() {
        return shards;
    }

    @Override
    public int features() {
        return features;
    }

    @Override
    public int labels() {
        return labels;
    }

    /**
     * {@inheritDoc}
     *
     * @throws RecordDecodeException when the decoder refuses a record
     * @throws CorruptFileException when the file is not what the format asks for
     */
    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        RecordIoReader reader = readers.get(shard);
        if (reader == null) {
            throw new IllegalArgumentException("there is no shard \"" + shard + "\" in " + this);
        }
        if (closed) {
            throw new IOException(reader.file() + ": the dataset is closed");
        }
        reader.checkRange(start, end);
        BatchRoom.check(this, shard, end - start, into);
        for (long index = start; index < end; ) {
            RecordIoPayload payload = cache.get(reader, reader.chunkOf(index));
            long stop = Math.min(end, payload.chunk().endRecord());
            for (; index < stop; index++) {
                decode(reader.file(), index, payload.record(index), into);
            }
        }
    }

    /** Frees the chunks that are kept; reads fail from now on. */
    @Override
    public void close() {
        closed = true;
        cache.clear();
    }

    /** For example {@code RecordIoDataset[2 shards, 1437 records of 64 features and 1 labels]}. */
    @Override
    public String toString() {
        return "RecordIoDataset[" + shards.size() + " shards, " + records() + " records of " + features
                + " features and " + labels + " labels]";
    }

    private void decode(Path file, long index, byte[] record, Batch into) throws RecordDecodeException {
        int before = into.size();
        try {
            decoder.decode(record, into);
        } catch (RuntimeException e) {
            throw new RecordDecodeException(file, index, e);
        }
        if (into.size() != before + 1) {
            throw new RecordDecodeException(
                    file, index, "the decoder must add 1 row to the batch, added " + (into.size() - before));
        }
    }

    private static List<Path> filesOf(Path directory) throws IOException {
        List<Path> entries;
        try (Stream<Path> listing = Files.list(directory)) {
            entries = listing.filter(p -> !nameOf(p).startsWith("."))
                    .sorted(Comparator.comparing(RecordIoDataset::nameOf))
                    .collect(Collectors.toCollection(ArrayList::new));
        }
        List<Path> files = entries.stream().filter(p -> !Files.isDirectory(p)).toList();
        if (files.isEmpty()) {
            throw new IOException(directory + ": there is no RecordIO file in this directory"
                    + (entries.isEmpty()
                            ? ""
                            : ", only directories: "
                                    + entries.stream()
                                            .map(RecordIoDataset::nameOf)
                                            .collect(Collectors.joining(", "))));
        }
        return files;
    }

    private static String nameOf(Path file) {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }
}
