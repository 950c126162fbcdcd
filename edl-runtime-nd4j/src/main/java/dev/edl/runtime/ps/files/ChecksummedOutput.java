package dev.edl.runtime.ps.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Writes little-endian values and their CRC-32C, to a checkpoint file that ends with the checksum, or to a stream of
 * blocks ({@link StreamBlockWriter}).
 *
 * <p>Strings and arrays are preceded by their length; strings are UTF-8.
 */
public final class ChecksummedOutput implements Closeable {
    /** Largest size of a block in bytes. */
    static final int CHUNK = 256 * 1024;

    private final Sink sink;
    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private long written;

    private ChecksummedOutput(Sink sink) {
        this.sink = sink;
    }

    /** Creates a file, which must not exist, and opens it for writing. */
    public static ChecksummedOutput create(Path file) throws IOException {
        return new ChecksummedOutput(new FileBlockWriter(file));
    }

    /** Writes blocks to a stream, which stays open. */
    public static ChecksummedOutput to(OutputStream stream) {
        return new ChecksummedOutput(new StreamBlockWriter(stream));
    }

    public void putInt(int value) throws IOException {
        ensureCapacity(Integer.BYTES).putInt(value);
    }

    public void putLong(long value) throws IOException {
        ensureCapacity(Long.BYTES).putLong(value);
    }

    public void putString(String value) throws IOException {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        putInt(bytes.length);
        for (int at = 0; at < bytes.length; ) {
            int n = Math.min(bytes.length - at, ensureCapacity(1).remaining());
            buffer.put(bytes, at, n);
            at += n;
        }
    }

    public void putLongs(long[] values) throws IOException {
        putInt(values.length);
        for (long value : values) {
            putLong(value);
        }
    }

    public void putFloats(float[] values) throws IOException {
        putInt(values.length);
        putFirst(values, values.length);
    }

    /** Writes the first {@code count} elements of an array, not preceded by their number. */
    public void putFirst(float[] values, int count) throws IOException {
        for (int at = 0; at < count; ) {
            int n = Math.min(count - at, ensureCapacity(Float.BYTES).remaining() / Float.BYTES);
            buffer.asFloatBuffer().put(values, at, n);
            buffer.position(buffer.position() + n * Float.BYTES);
            at += n;
        }
    }

    /** Writes the checksum, and syncs the file or flushes the stream. Returns size and checksum. */
    public Seal seal() throws IOException {
        drain();
        Seal seal = new Seal(written + Integer.BYTES, (int) crc.getValue());
        sink.end(seal.crc());
        return seal;
    }

    private ByteBuffer ensureCapacity(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            drain();
        }
        return buffer;
    }

    private void drain() throws IOException {
        buffer.flip();
        crc.update(buffer.duplicate());
        written += buffer.remaining();
        sink.block(buffer, (int) crc.getValue());
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        sink.close();
    }

    /** Receives the blocks of an output in order. */
    interface Sink extends Closeable {
        /**
         * Receives a block, which may be empty.
         *
         * @param crc checksum of this block and all earlier ones
         */
        void block(ByteBuffer bytes, int crc) throws IOException;

        /** Writes the checksum of all blocks after the last one. */
        void end(int crc) throws IOException;
    }

    /**
     * Size and checksum that identify a file.
     *
     * @param bytes size of the file
     * @param crc CRC-32C of all but its last four bytes, which hold it
     */
    public record Seal(long bytes, int crc) {}
}
