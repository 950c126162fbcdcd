package dev.edl.runtime.ps;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Reads what {@link CheckedOutput} wrote; the checksum of the whole file is verified before the first value is read. */
final class CheckedInput implements Closeable {
    private static final int CHUNK = 256 * 1024;

    private final String name;
    private final RandomAccessFile file;
    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
    private final CheckedOutput.Seal seal;
    private long unread;

    private CheckedInput(String name, RandomAccessFile file) throws IOException {
        this.name = name;
        this.file = file;
        buffer.limit(0);
        this.seal = verify();
        file.seek(0);
        this.unread = seal.bytes() - Integer.BYTES;
        buffer.limit(0);
    }

    /**
     * Opens and verifies a file.
     *
     * @throws CheckpointException when it does not exist, is too short, or its checksum is wrong
     */
    static CheckedInput open(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (!Files.isRegularFile(file)) {
            throw new CheckpointException(name + " is missing");
        }
        RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r");
        try {
            return new CheckedInput(name, bytes);
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    private CheckedOutput.Seal verify() throws IOException {
        long bytes = file.length();
        if (bytes < Integer.BYTES) {
            throw damaged("has " + bytes + " bytes, too few for a checksum");
        }
        CRC32C crc = new CRC32C();
        unread = bytes - Integer.BYTES;
        while (unread > 0) {
            fill();
            crc.update(buffer);
        }
        buffer.limit(0);
        unread = Integer.BYTES;
        fill();
        int expected = buffer.getInt();
        int found = (int) crc.getValue();
        if (expected != found) {
            throw damaged(String.format("has the checksum %08x at its end, its content has %08x", expected, found));
        }
        return new CheckedOutput.Seal(bytes, found);
    }

    CheckedOutput.Seal seal() {
        return seal;
    }

    CheckpointException damaged(String what) {
        return new CheckpointException(name + " " + what);
    }

    int getInt() throws IOException {
        return need(Integer.BYTES).getInt();
    }

    long getLong() throws IOException {
        return need(Long.BYTES).getLong();
    }

    String getString() throws IOException {
        byte[] bytes = new byte[length(1)];
        for (int at = 0; at < bytes.length; ) {
            int n = Math.min(bytes.length - at, need(1).remaining());
            buffer.get(bytes, at, n);
            at += n;
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    long[] getLongs() throws IOException {
        long[] values = new long[length(Long.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = getLong();
        }
        return values;
    }

    float[] getFloats() throws IOException {
        float[] values = new float[length(Float.BYTES)];
        getFirst(values, values.length);
        return values;
    }

    /** Reads the first values of an array. */
    void getFirst(float[] values, int count) throws IOException {
        for (int at = 0; at < count; ) {
            int n = Math.min(count - at, need(Float.BYTES).remaining() / Float.BYTES);
            buffer.asFloatBuffer().get(values, at, n);
            buffer.position(buffer.position() + n * Float.BYTES);
            at += n;
        }
    }

    /** A number of elements of some bytes each that are still to be read. */
    int getCount(int elementBytes) throws IOException {
        return length(elementBytes);
    }

    private int length(int elementBytes) throws IOException {
        int length = getInt();
        if (length < 0 || (long) length * elementBytes > buffer.remaining() + unread) {
            throw damaged("announces " + length + " elements, more than it holds");
        }
        return length;
    }

    private ByteBuffer need(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            fill();
            if (buffer.remaining() < bytes) {
                throw damaged("ends too early");
            }
        }
        return buffer;
    }

    private void fill() throws IOException {
        buffer.compact();
        buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + unread));
        while (buffer.hasRemaining()) {
            int n = file.read(buffer.array(), buffer.position(), buffer.remaining());
            if (n < 0) {
                throw damaged("became shorter while it was read");
            }
            buffer.position(buffer.position() + n);
            unread -= n;
        }
        buffer.flip();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
