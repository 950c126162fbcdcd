package dev.edl.runtime.data.idx;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.data.internal.BufferOrigin;
import dev.edl.runtime.internal.files.AtomicFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * IDX file, the format of the MNIST database: an array of any number of dimensions; the first one counts records.
 *
 * <pre>{@code
 * try (IdxFile images = IdxFile.open(Path.of("train-images-idx3-ubyte.gz"))) {
 *   images.shape();                              // [60000, 28, 28]
 *   double[] two = images.read(0, 2);            // 2 x 784 values
 * }
 * }</pre>
 *
 * <p>Opening reads the header and compares the file's size with it; a range is read in place. A gzip file is
 * decompressed when it is opened: up to 64 MiB into memory, more into a temporary file, which is deleted on closing.
 * The file must not change while it is used. Safe for several threads.
 */
public final class IdxFile implements Closeable {
    private static final int IN_MEMORY = 64 << 20;
    private static final int BUFFER = 1 << 16;
    private static final int EXACT = 1 << 24;

    private final Path file;
    private final IdxContent content;
    private final int recordElements;
    private volatile boolean closed;

    private IdxFile(Path file, IdxContent content) throws IOException {
        this.file = file;
        this.content = content;
        this.recordElements = content.header().recordElements(new BufferOrigin(file, "", 0));
    }

    /**
     * Opens a file; its first bytes show whether it is gzip.
     *
     * @throws java.nio.file.NoSuchFileException when the file does not exist
     * @throws CorruptFileException when it has no IDX header, or its size differs from the header's
     */
    public static IdxFile open(Path file) throws IOException {
        return open(file, IN_MEMORY);
    }

    static IdxFile open(Path file, int inMemory) throws IOException {
        return new IdxFile(file, IdxContent.open(DataFiles.file(file, "IDX"), inMemory));
    }

    /**
     * Writes a file atomically; compressed if its name ends with {@code .gz}.
     *
     * @param shape 1 to 255 dimensions, the records first; their product is the number of values
     * @param values the elements, row-major; whole numbers within the type's range unless it is one of floats
     */
    public static void write(Path file, IdxType type, List<Integer> shape, double... values) throws IOException {
        IdxHeader header = new IdxHeader(type, List.copyOf(shape));
        if (shape.isEmpty()
                || shape.size() > IdxHeader.MOST_DIMENSIONS
                || shape.stream().anyMatch(d -> d < 0)) {
            throw new IllegalArgumentException(
                    file + ": must have 1 to 255 dimensions of at least 0, for example [60000, 28, 28], was " + shape);
        }
        long elements = header.elements(new BufferOrigin(file, "", 0));
        if (elements != values.length) {
            throw new IllegalArgumentException(
                    file + ": " + header + " needs " + elements + " values, was " + values.length);
        }
        for (int i = 0; i < values.length; i++) {
            if (!type.holds(values[i])) {
                throw new IllegalArgumentException(
                        file + ": value " + i + " is not of type " + type + ", was " + values[i]);
            }
        }
        boolean gzip = DataFiles.nameOf(file).endsWith(".gz");
        AtomicFile.write(file, plain -> {
            OutputStream out = gzip ? new GZIPOutputStream(plain, BUFFER) : plain;
            out.write(header.bytes());
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
            for (double value : values) {
                type.put(value, buffer);
                if (!buffer.hasRemaining()) {
                    out.write(buffer.array());
                    buffer.clear();
                }
            }
            out.write(buffer.array(), 0, buffer.position());
            if (out instanceof GZIPOutputStream compressed) {
                compressed.finish();
            }
        });
    }

    /** Returns the file's path as passed to {@code open}. */
    public Path file() {
        return file;
    }

    /** Returns the type of the file's elements. */
    public IdxType type() {
        return content.header().type();
    }

    /** Returns the file's dimensions; the first one counts the records. */
    public List<Integer> shape() {
        return content.header().shape();
    }

    /** Returns the number of records: the first dimension. */
    public int records() {
        return content.header().records();
    }

    /** Returns the number of elements in one record: the product of the other dimensions, 1 without any. */
    public int recordElements() {
        return recordElements;
    }

    /**
     * Returns the elements of the records {@code start} (inclusive) to {@code end} (exclusive), row-major; exact for
     * each type.
     *
     * @throws IndexOutOfBoundsException when the range is not within 0 to {@link #records()}
     */
    public double[] read(int start, int end) throws IOException {
        checkRange(start, end);
        double[] values = new double[Math.multiplyExact(end - start, recordElements)];
        for (int record = start; record < end; record++) {
            ByteBuffer bytes = record(record);
            for (int i = 0; i < recordElements; i++) {
                values[(record - start) * recordElements + i] = type().get(bytes);
            }
        }
        return values;
    }

    /** Rejects a range outside the file, a truncated file, and a closed one. */
    void checkRange(long start, long end) throws IOException {
        if (start < 0 || end < start || end > records()) {
            throw new IndexOutOfBoundsException(
                    file + ": range [" + start + ", " + end + ") is outside its " + records() + " records");
        }
        if (closed) {
            throw new IOException(file + ": is closed");
        }
        content.view().checkSize();
    }

    /**
     * Writes the elements of a record, multiplied by {@code scale}, into an array from index {@code at}; rejects values
     * that are not finite. The caller must have checked the range.
     */
    void floats(long record, float scale, float[] into, int at) throws IOException {
        floats(record, scale, false, into, at);
    }

    /**
     * Writes the labels of a record into an array from index {@code at}; rejects integers that a float cannot represent
     * exactly.
     */
    void labels(long record, float[] into, int at) throws IOException {
        floats(record, 1, type() == IdxType.INT, into, at);
    }

    private void floats(long record, float scale, boolean exact, float[] into, int at) throws IOException {
        ByteBuffer bytes = record(record);
        IdxType type = type();
        if (type == IdxType.UNSIGNED_BYTE) {
            for (int i = 0; i < recordElements; i++) {
                into[at + i] = (bytes.get(i) & 0xff) * scale;
            }
            return;
        }
        for (int i = 0; i < recordElements; i++) {
            double value = type.get(bytes) * scale;
            if (!Float.isFinite((float) value)) {
                throw new RecordDecodeException(
                        file, record, "element " + i + " must be finite as a 32-bit float, was " + value);
            }
            if (exact && Math.abs(value) > EXACT) {
                throw new RecordDecodeException(
                        file,
                        record,
                        "element " + i + ": a label must be from -" + EXACT + " to " + EXACT
                                + ", which a float holds exactly, was " + (long) value);
            }
            into[at + i] = (float) value;
        }
    }

    private ByteBuffer record(long record) throws IOException {
        int size = recordElements * type().size();
        return content.view()
                .slice(content.header().size() + record * size, size)
                .order(ByteOrder.BIG_ENDIAN);
    }

    /** Deletes the temporary file, if there is one; later reads fail. */
    @Override
    public void close() throws IOException {
        closed = true;
        content.close();
    }

    /** Returns, for example, {@code IdxFile[train-images-idx3-ubyte: 60000 x 28 x 28 UNSIGNED_BYTE]}. */
    @Override
    public String toString() {
        return "IdxFile[" + file + ": " + content.header() + "]";
    }
}
