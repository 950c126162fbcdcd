package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.internal.FileView;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a TFRecord file as TensorFlow does.
 *
 * <pre>{@code
 * try (TfRecordWriter writer = TfRecordWriter.create(Path.of("train.tfrecord"))) {
 *   writer.write(TfExample.builder().floats("image", pixels).int64s("label", 7).build().toBytes());
 * }
 * }</pre>
 *
 * <p>A file that is there is replaced. Not safe for several threads.
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

    /** Writes a file without compression. */
    public static TfRecordWriter create(Path file) throws IOException {
        return create(file, TfRecordCompression.NONE);
    }

    /** Writes a file; a compressed one can be read from its start only, see {@link TfRecordReader}. */
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
     * Adds a record; an empty one counts.
     *
     * @param record at most 1 GiB, as the reader takes
     * @throws IOException when the file cannot be written, could not be before, or the writer is closed
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

    /** Records that were added so far. */
    public long records() {
        return records;
    }

    /** Writes what is buffered and closes the file. */
    @Override
    public void close() throws IOException {
        unusable = true;
        out.close();
    }

    /** For example {@code TfRecordWriter[train.tfrecord: 4096 records, NONE]}. */
    @Override
    public String toString() {
        return "TfRecordWriter[" + file + ": " + records + " records, " + compression + "]";
    }
}
