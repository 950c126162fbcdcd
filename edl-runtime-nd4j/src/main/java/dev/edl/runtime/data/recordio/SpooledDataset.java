package dev.edl.runtime.data.recordio;

import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RowEncoder;
import dev.edl.runtime.internal.files.AtomicFile;
import dev.edl.runtime.model.Batch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Dataset that writes any number of items, iterated once, to RecordIO files in a directory and reads them from there.
 *
 * <pre>{@code
 * try (Stream<House> houses = database.stream();
 *     SpooledDataset train = SpooledDataset.create(Path.of("spool/houses"), houses, 2, 1, 0, encoder)) {
 *   train.shards();                                // [DataShard[name=part-00000, records=1048576], ...]
 * }
 * }</pre>
 *
 * <p>Memory holds one record and one chunk of 1 MiB at a time; a file has up to 256 MiB. If the directory holds a
 * complete spool of the same widths, it is used and the items are not iterated; delete the directory to spool again. A
 * spool with missing files or records is rejected. The incomplete spool of an earlier attempt is replaced. The
 * directory must hold nothing else and have one writer at a time. Safe for several threads.
 */
public final class SpooledDataset implements Dataset, Closeable {
    private static final String COMPLETE = ".complete";
    private static final String BEGUN = ".begun";
    private static final int CHUNK_BYTES = 1 << 20;
    private static final long FILE_BYTES = 256L << 20;

    private final Path directory;
    private final RecordIoDataset files;

    private SpooledDataset(Path directory, RecordIoDataset files) {
        this.directory = directory;
        this.files = files;
    }

    /**
     * Spools all items, unless the directory already holds them.
     *
     * @param directory the directory of the files; created if missing
     * @param features floats of features that the encoder writes for one item
     * @param labels floats of labels that the encoder writes for one item
     * @param ids ids that the encoder writes for one item
     * @throws IOException when the directory holds other files, or a spool of other widths or with missing records;
     *     when it cannot be written; when the encoder fails; or when there is no item
     */
    public static <T> SpooledDataset create(
            Path directory,
            Iterable<? extends T> items,
            int features,
            int labels,
            int ids,
            RowEncoder<? super T> encoder)
            throws IOException {
        return create(directory, items, new BatchRowFormat(features, labels, ids), encoder, FILE_BYTES);
    }

    /** Spools a stream, which the caller closes; see {@link #create(Path, Iterable, int, int, int, RowEncoder)}. */
    public static <T> SpooledDataset create(
            Path directory, Stream<? extends T> items, int features, int labels, int ids, RowEncoder<? super T> encoder)
            throws IOException {
        Iterable<T> once = () -> {
            @SuppressWarnings("unchecked") // an iterator of a subtype gives the type
            Iterator<T> iterator = (Iterator<T>) items.iterator();
            return iterator;
        };
        return create(directory, once, features, labels, ids, encoder);
    }

    static <T> SpooledDataset create(
            Path directory,
            Iterable<? extends T> items,
            BatchRowFormat rows,
            RowEncoder<? super T> encoder,
            long fileBytes)
            throws IOException {
        Batch probe = new Batch(1, rows.features(), rows.labels(), rows.ids(), List.of());
        Files.createDirectories(directory);
        Path complete = directory.resolve(COMPLETE);
        String widths =
                "edl-spool 2: " + rows.features() + " features, " + rows.labels() + " labels, " + rows.ids() + " ids";
        if (Files.exists(complete)) {
            String found = Files.readString(complete).strip();
            if (!found.startsWith(widths + "; ")) {
                throw new IOException(directory + ": holds a spool of other records; expected \"" + widths
                        + "\", found \"" + found + "\"; delete the directory or name another");
            }
            return open(directory, rows, widths, found);
        }
        clear(directory);
        write(directory, items, rows, encoder, fileBytes, probe);
        RecordIoDataset files = RecordIoDataset.open(directory, rows);
        String contents = widths + contents(files) + "\n";
        // A directory without this file is not a spool.
        AtomicFile.write(complete, out -> out.write(contents.getBytes(StandardCharsets.UTF_8)));
        Files.deleteIfExists(directory.resolve(BEGUN));
        return new SpooledDataset(directory, files);
    }

    /** Opens an existing spool; rejects it if files are missing or the number of records differs. */
    private static SpooledDataset open(Path directory, BatchRowFormat rows, String widths, String expected)
            throws IOException {
        try (Stream<Path> listing = Files.list(directory)) {
            if (listing.map(DataFiles::nameOf).noneMatch(name -> name.startsWith("part-"))) {
                throw changed(directory, expected, "no files");
            }
        }
        RecordIoDataset files = RecordIoDataset.open(directory, rows);
        String found = widths + contents(files);
        if (!found.equals(expected)) {
            files.close();
            throw changed(directory, expected, "\"" + found + "\"");
        }
        return new SpooledDataset(directory, files);
    }

    private static IOException changed(Path directory, String expected, String found) {
        return new IOException(directory + ": has lost or gained records since it was spooled; expected \"" + expected
                + "\", found " + found + "; delete the directory to spool again");
    }

    private static String contents(RecordIoDataset files) {
        return "; " + files.records() + " records in " + files.shards().size() + " files";
    }

    private static void clear(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> listing = Files.list(directory)) {
            files = listing.toList();
        }
        // Other programs use the same file names, so only files of a spool that was begun here are deleted.
        boolean begun = files.contains(directory.resolve(BEGUN));
        for (Path file : files) {
            String name = DataFiles.nameOf(file);
            if (!begun || !name.matches("part-\\d{5,}|\\.complete\\.tmp|\\.begun")) {
                throw new IOException(directory + ": must be empty or hold a spool, has \"" + name + "\" in it");
            }
        }
        for (Path file : files) {
            if (!file.equals(directory.resolve(BEGUN))) {
                Files.delete(file);
            }
        }
    }

    private static <T> void write(
            Path directory,
            Iterable<? extends T> items,
            BatchRowFormat rows,
            RowEncoder<? super T> encoder,
            long fileBytes,
            Batch row)
            throws IOException {
        Iterator<? extends T> iterator = items.iterator();
        if (!iterator.hasNext()) {
            throw new IOException(directory + ": there is no item to spool");
        }
        Files.write(directory.resolve(BEGUN), new byte[0]);
        long perFile = Math.max(1, fileBytes / rows.size());
        int chunkBytes = Math.max(CHUNK_BYTES, rows.size() + 1);
        long index = 0;
        for (int number = 0; iterator.hasNext(); number++) {
            Path file = directory.resolve(String.format(Locale.ROOT, "part-%05d", number));
            try (RecordIoWriter writer = RecordIoWriter.create(file, RecordIoCompression.NONE, chunkBytes)) {
                while (iterator.hasNext() && writer.records() < perFile) {
                    encoder.encodeRow(iterator.next(), index++, row.clear(""));
                    writer.write(rows.encode(row, 0));
                }
            }
        }
    }

    /** Returns the directory of the files. */
    public Path directory() {
        return directory;
    }

    @Override
    public List<DataShard> shards() {
        return files.shards();
    }

    @Override
    public int features() {
        return files.features();
    }

    @Override
    public int labels() {
        return files.labels();
    }

    @Override
    public int ids() {
        return files.ids();
    }

    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        files.read(shard, start, end, into);
    }

    /** Closes the files, so later reads fail; the files stay on disk and can be opened again. */
    @Override
    public void close() {
        files.close();
    }

    /** Returns, for example, {@code SpooledDataset[spool/houses: 2 shards, 1437 records]}. */
    @Override
    public String toString() {
        return "SpooledDataset[" + directory + ": " + shards().size() + " shards, " + records() + " records]";
    }
}
