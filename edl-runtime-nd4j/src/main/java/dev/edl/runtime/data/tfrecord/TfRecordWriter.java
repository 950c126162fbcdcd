package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.internal.FileView;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writer of TFRecord files, as TensorFlow writes them.
 *
 * <pre>{@code
 * try (TfRecordWriter writer = TfRecordWriter.create(Path.of("train.tfrecord"))) {
 *   writer.write(TfExample.builder().floats("image", pixels).int64s("label", 7).build().toBytes());
 * }
 * }</pre>
 *
 * <p>An existing file is replaced. Not safe for several threads.
 */
public final class TfRecordWriter implements AutoCloseable {
    private final Path file;
    private final TfRecordCompression compression;
    private final OutputStream out;
    private long records;
    private boolean unusable;

    private TfRecordWriter(Path file, TfRecordCompression compression, OutputStream out) {
        this.file = file;
        this.compression = compression;
        this.out = out;
    }

    /** Returns a writer of a file without compression. */
    public static TfRecordWriter create(Path file) throws IOException {
        return create(file, TfRecordCompression.NONE);
    }

    /** Returns a writer of a file; a compressed file can only be read from its start, see {@link TfRecordReader}. */
    public static TfRecordWriter create(Path file, TfRecordCompression compression) throws IOException {
        OutputStream bytes = Files.newOutputStream(file);
        try {
            return new TfRecordWriter(
                    file, compression, new BufferedOutputStream(compression.compress(bytes), 1 << 16));
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    /**
     * Adds a record; it may be empty.
     *
     * @param record bytes of the record, at most 1 GiB, the reader's limit
     * @throws IOException when the file cannot be written, an earlier write failed, or the writer is closed
     */
    public void write(byte[] record) throws IOException {
        if (unusable) {
            throw new IOException(file + ": the TFRecord writer is closed or failed before; nothing can be added");
        }
        if (record.length > FileView.MOST - TfRecordFrame.HEADER) {
            throw new IllegalArgumentException(file + ": record " + records + " must have at most "
                    + (FileView.MOST - TfRecordFrame.HEADER) + " bytes, was " + record.length);
        }
        try {
            out.write(TfRecordFrame.of(record));
        } catch (IOException e) {
            unusable = true;
            throw new IOException(file + ": cannot write record " + records + ": " + e.getMessage(), e);
        }
        records++;
    }

    /** Returns the number of records added so far. */
    public long records() {
        return records;
    }

    /** Writes buffered bytes and closes the file. */
    @Override
    public void close() throws IOException {
        unusable = true;
        out.close();
    }

    /** Returns, for example, {@code TfRecordWriter[train.tfrecord: 4096 records, NONE]}. */
    @Override
    public String toString() {
        return "TfRecordWriter[" + file + ": " + records + " records, " + compression + "]";
    }
}
