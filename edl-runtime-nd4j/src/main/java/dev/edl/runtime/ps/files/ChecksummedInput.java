package dev.edl.runtime.ps.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads the output of {@link ChecksummedOutput}. A value is returned only after a checksum was verified: in a file,
 * the checksum of the whole file; in a stream, the checksum of the block that has the value.
 *
 * <p>An array grows only as its values arrive, so an announced length alone allocates no memory.
 */
public final class ChecksummedInput implements Closeable {
    /** Maximum number of array elements that are allocated before further values have arrived. */
    private static final int AT_ONCE = 8 * 1024;

    private final String name;
    private final Source source;
    private final ByteBuffer buffer = ByteBuffer.allocate(ChecksummedOutput.CHUNK)
            .order(ByteOrder.LITTLE_ENDIAN)
            .limit(0);

    private ChecksummedInput(String name, Source source) {
        this.name = name;
        this.source = source;
    }

    /**
     * Opens and verifies a file.
     *
     * @throws CheckpointException when it does not exist, is too short, or its checksum is wrong
     */
    public static ChecksummedInput open(Path file) throws IOException {
        return new ChecksummedInput(String.valueOf(file.getFileName()), FileBlockReader.open(file));
    }

    /**
     * Reads blocks of a stream, which stays open, and nothing after their end.
     *
     * @param name name of the content in messages
     */
    public static ChecksummedInput of(String name, InputStream stream) {
        return new ChecksummedInput(name, new StreamBlockReader(name, stream));
    }

    /** Returns the seal of the file; for a stream, the seal of the bytes read so far. */
    public ChecksummedOutput.Seal seal() {
        return source.seal();
    }

    public CheckpointException damaged(String what) {
        return new CheckpointException(name + " " + what);
    }

    public int getInt() throws IOException {
        return need(Integer.BYTES).getInt();
    }

    public long getLong() throws IOException {
        return need(Long.BYTES).getLong();
    }

    public String getString() throws IOException {
        int length = getCount(1);
        byte[] bytes = new byte[Math.min(length, AT_ONCE)];
        for (int at = 0; at < length; ) {
            int n = Math.min(length - at, need(1).remaining());
            bytes = at + n > bytes.length ? Arrays.copyOf(bytes, grown(at + n, length)) : bytes;
            buffer.get(bytes, at, n);
            at += n;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    public long[] getLongs() throws IOException {
        return getLongs(getCount(Long.BYTES));
    }

    /** Reads the given number of values. */
    public long[] getLongs(int length) throws IOException {
        long[] values = new long[Math.min(length, AT_ONCE)];
        for (int i = 0; i < length; i++) {
            long value = getLong();
            values = i == values.length ? Arrays.copyOf(values, grown(i + 1, length)) : values;
            values[i] = value;
        }
        return values;
    }

    private static int grown(int atLeast, int length) {
        return (int) Math.min(length, Math.max(atLeast, atLeast * 2L));
    }

    /**
     * Reads an array of a known length.
     *
     * @param what the kind of values, for the message about a wrong length
     * @param owner the object that the values belong to, for the same message
     */
    public float[] getFloats(int length, String what, Object owner) throws IOException {
        int announced = getCount(Float.BYTES);
        if (announced != length) {
            throw damaged("has " + announced + " " + what + " for " + owner);
        }
        float[] values = new float[length];
        getFirst(values, length);
        return values;
    }

    /** Reads values into the first {@code count} elements of an array. */
    public void getFirst(float[] values, int count) throws IOException {
        for (int at = 0; at < count; ) {
            int n = Math.min(count - at, need(Float.BYTES).remaining() / Float.BYTES);
            buffer.asFloatBuffer().get(values, at, n);
            buffer.position(buffer.position() + n * Float.BYTES);
            at += n;
        }
    }

    /** Reads an element count, and checks that the input can still hold that many elements. */
    public int getCount(int elementBytes) throws IOException {
        int length = getInt();
        if (length < 0 || (long) length * elementBytes > buffer.remaining() + source.most()) {
            throw damaged("announces " + length + " elements, more than it holds");
        }
        return length;
    }

    /** Throws an exception if the input has further values. */
    public void end() throws IOException {
        if (buffer.hasRemaining() || fill()) {
            throw damaged("has more bytes than it needs");
        }
    }

    private ByteBuffer need(int bytes) throws IOException {
        while (buffer.remaining() < bytes) {
            if (!fill()) {
                throw damaged("ends too early");
            }
        }
        return buffer;
    }

    /** Adds verified bytes to the buffer. Returns false at the end of the input. */
    private boolean fill() throws IOException {
        buffer.compact();
        try {
            return source.read(buffer);
        } finally {
            buffer.flip();
        }
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    /** Supplies verified bytes in order. */
    interface Source extends Closeable {
        /** Adds bytes to a buffer with free space. Returns false at the end. */
        boolean read(ByteBuffer into) throws IOException;

        /** Returns the maximum number of bytes that this source can still supply. */
        long most();

        /** Returns the seal of the bytes supplied so far. */
        ChecksummedOutput.Seal seal();
    }
}
