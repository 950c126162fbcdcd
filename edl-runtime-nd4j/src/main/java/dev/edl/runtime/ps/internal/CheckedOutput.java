package dev.edl.runtime.ps;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Writes a checkpoint file: little-endian values, then their CRC-32C as the last four bytes.
 *
 * <p>Strings and arrays are preceded by their length; strings are UTF-8. Written through a stream and not through a
 * channel, which would be closed under a thread that was interrupted.
 */
final class CheckedOutput implements Closeable {
    private static final int CHUNK = 256 * 1024;

    private final FileOutputStream file;
    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private long written;

    private CheckedOutput(FileOutputStream file) {
        this.file = file;
    }

    /** Opens a file that must not exist. */
    static CheckedOutput create(Path file) throws IOException {
        Files.createFile(file);
        return new CheckedOutput(new FileOutputStream(file.toFile()));
    }

    void putInt(int value) throws IOException {
        room(Integer.BYTES).putInt(value);
    }

    void putLong(long value) throws IOException {
        room(Long.BYTES).putLong(value);
    }

    void putString(String value) throws IOException {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        putInt(bytes.length);
        for (int at = 0; at < bytes.length; ) {
            int n = Math.min(bytes.length - at, room(1).remaining());
            buffer.put(bytes, at, n);
            at += n;
        }
    }

    void putLongs(long[] values) throws IOException {
        putInt(values.length);
        for (long value : values) {
            putLong(value);
        }
    }

    void putFloats(float[] values) throws IOException {
        putInt(values.length);
        putFirst(values, values.length);
    }

    /** Writes the first values, without their number. */
    void putFirst(float[] values, int count) throws IOException {
        for (int at = 0; at < count; ) {
            int n = Math.min(count - at, room(Float.BYTES).remaining() / Float.BYTES);
            buffer.asFloatBuffer().put(values, at, n);
            buffer.position(buffer.position() + n * Float.BYTES);
            at += n;
        }
    }

    /** Writes the checksum and forces everything to the disk. */
    Seal seal() throws IOException {
        drain();
        Seal seal = new Seal(written + Integer.BYTES, (int) crc.getValue());
        putInt(seal.crc());
        drain();
        file.getFD().sync();
        return seal;
    }

    private ByteBuffer room(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            drain();
        }
        return buffer;
    }

    private void drain() throws IOException {
        buffer.flip();
        crc.update(buffer.duplicate());
        written += buffer.remaining();
        file.write(buffer.array(), 0, buffer.remaining());
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /**
     * How a file can be told from every other one.
     *
     * @param bytes its size
     * @param crc CRC-32C of all but its last four bytes, which hold it
     */
    record Seal(long bytes, int crc) {}
}
