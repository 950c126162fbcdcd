package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.DataFiles;
import dev.edl.runtime.data.internal.FileBytes;
import dev.edl.runtime.data.internal.FileView;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a TFRecord file by the index of its records; whether it is compressed is found in its first bytes.
 *
 * <pre>{@code
 * try (TfRecordReader reader = TfRecordReader.open(Path.of("train.tfrecord"))) {
 *   for (byte[] record : reader.read(0, reader.records())) {
 *     TfExample example = TfExample.parse(record);
 *   }
 * }
 * }</pre>
 *
 * <p>Opening an uncompressed file reads the headers of its records, not their payloads; a range is then read where it
 * lies. A compressed one is decompressed from its start: once when it is opened, to count its records, and for a range
 * from the nearest of up to four places that earlier reads left open; so reading on is cheap, jumping back is not. Both
 * checksums of each record that is read are checked. The file must stay as it is while it is used. Safe for several
 * threads.
 *
 * <p>Every method that reads throws {@link CorruptFileException} when the file is not what the format asks for; the
 * offset is one of the file, or of the decompressed stream where the message says so.
 */
public final class TfRecordReader implements Closeable {
    private final Path file;
    private final TfRecordSource source;

    private TfRecordReader(Path file, TfRecordSource source) {
        this.file = file;
        this.source = source;
    }

    /**
     * Indexes a file.
     *
     * @throws java.nio.file.NoSuchFileException when there is no such file
     * @throws CorruptFileException when a header is none or a record is cut off
     */
    public static TfRecordReader open(Path file) throws IOException {
        try (FileBytes bytes = new FileBytes(DataFiles.file(file, "TFRecord"))) {
            byte[] start = FileBytes.exactly(file, bytes, 0, (int) Math.min(TfRecordFrame.HEADER, bytes.size()));
            TfRecordCompression compression = TfRecordCompression.of(start);
            TfRecordSource source = compression == TfRecordCompression.NONE
                    ? new TfRecordPlain(new FileView(file, bytes.size()), TfRecordIndex.of(file, bytes))
                    : TfRecordStream.open(file, compression);
            return new TfRecordReader(file, source);
        }
    }

    /** The file, as it was given. */
    public Path file() {
        return file;
    }

    /** How many records it has. */
    public long records() {
        return source.records();
    }

    /** How it is compressed. */
    public TfRecordCompression compression() {
        return source.compression();
    }

    /**
     * The records {@code start} (inclusive) to {@code end} (exclusive), in order, copied.
     *
     * @throws IndexOutOfBoundsException when the range is not within 0 to {@link #records()}
     */
    public List<byte[]> read(long start, long end) throws IOException {
        List<byte[]> records = new ArrayList<>();
        each(start, end, (index, record) -> {
            byte[] copy = new byte[record.remaining()];
            record.get(copy);
            records.add(copy);
        });
        return records;
    }

    /** Hands out the records of a range, where they lie. */
    void each(long start, long end, TfRecordSource.Sink sink) throws IOException {
        if (start < 0 || end < start || end > records()) {
            throw new IndexOutOfBoundsException(
                    file + ": range [" + start + ", " + end + ") is outside its " + records() + " records");
        }
        source.read(start, end, sink);
    }

    /** Closes the places that are kept in a compressed file; a later read opens it again. */
    @Override
    public void close() {
        source.close();
    }

    /** For example {@code TfRecordReader[train.tfrecord: 4096 records, NONE]}. */
    @Override
    public String toString() {
        return "TfRecordReader[" + file + ": " + records() + " records, " + compression() + "]";
    }
}
