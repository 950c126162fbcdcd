package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.internal.FileView;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reader of a TFRecord file by record index; it detects compression from the first bytes.
 *
 * <pre>{@code
 * try (TfRecordReader reader = TfRecordReader.open(Path.of("train.tfrecord"))) {
 *   for (byte[] record : reader.read(0, reader.records())) {
 *     TfExample example = TfExample.parse(record);
 *   }
 * }
 * }</pre>
 *
 * <p>Opening an uncompressed file reads the headers of its records, not their payloads; a range is then read in place.
 * A compressed file is decompressed once when it is opened, to count its records. A range is then decompressed from the
 * nearest of up to four cursors of earlier reads, or from the start. Sequential reads are therefore cheap, backward
 * ones are not.
 *
 * <p>Both checksums of each record are checked. The file must not change while it is used. Safe for several threads.
 *
 * <p>Every method that reads throws {@link CorruptFileException} when the file violates the format. The exception's
 * offset is in the file, or in the decompressed stream if the message says so.
 */
public final class TfRecordReader implements Closeable {
    private final Path file;
    private final TfRecordSource source;

    private TfRecordReader(Path file, TfRecordSource source) {
        this.file = file;
        this.source = source;
    }

    /**
     * Opens a file and indexes or counts its records.
     *
     * @throws java.nio.file.NoSuchFileException when the file does not exist
     * @throws CorruptFileException when a header is invalid or a record is truncated
     */
    public static TfRecordReader open(Path file) throws IOException {
        try (UninterruptibleFileChannel bytes = new UninterruptibleFileChannel(DataFiles.file(file, "TFRecord"))) {
            byte[] start = UninterruptibleFileChannel.exactly(
                    file, bytes, 0, (int) Math.min(TfRecordFrame.HEADER, bytes.size()));
            TfRecordCompression compression = TfRecordCompression.of(start);
            TfRecordSource source = compression == TfRecordCompression.NONE
                    ? new UncompressedTfRecords(new FileView(file, bytes.size()), TfRecordIndex.of(file, bytes))
                    : CompressedTfRecords.open(file, compression);
            return new TfRecordReader(file, source);
        }
    }

    /** Returns the file's path as passed to {@code open}. */
    public Path file() {
        return file;
    }

    /** Returns the number of records. */
    public long records() {
        return source.records();
    }

    /** Returns the compression of the file. */
    public TfRecordCompression compression() {
        return source.compression();
    }

    /**
     * Returns copies of the records {@code start} (inclusive) to {@code end} (exclusive), in order.
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

    /** Passes the records of a range to a sink without copying them. */
    void each(long start, long end, TfRecordSource.Sink sink) throws IOException {
        if (start < 0 || end < start || end > records()) {
            throw new IndexOutOfBoundsException(
                    file + ": range [" + start + ", " + end + ") is outside its " + records() + " records");
        }
        source.read(start, end, sink);
    }

    /** Closes the cursors in a compressed file; a later read opens the file again. */
    @Override
    public void close() {
        source.close();
    }

    /** Returns, for example, {@code TfRecordReader[train.tfrecord: 4096 records, NONE]}. */
    @Override
    public String toString() {
        return "TfRecordReader[" + file + ": " + records() + " records, " + compression() + "]";
    }
}
