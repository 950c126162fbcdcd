package dev.edl.runtime.data.recordio;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

/**
 * Writer of RecordIO files, as {@code wangkuiyi/recordio} (Go) and {@code pyrecordio} 0.0.6 and later write them.
 *
 * <pre>{@code
 * try (RecordIoWriter writer = RecordIoWriter.create(Path.of("train-00000"))) {
 *   writer.write(record);
 * }
 * }</pre>
 *
 * <p>Records are collected into a chunk. The chunk is written when the next record would exceed the limit, and on
 * close. The limit counts record bytes before compression, without lengths; it is 32 MiB by default. Without records
 * the file stays empty.
 *
 * <p>Uncompressed bytes, and the Snappy frames of records too small to compress, equal those of the Go library.
 * Compressed bytes differ between the libraries, but each reads the other's. Not safe for several threads.
 */
public final class RecordIoWriter implements AutoCloseable {
    /** Default maximum of record bytes in a chunk, before compression. */
    public static final int DEFAULT_CHUNK_BYTES = 32 << 20;

    private final String target;
    private final OutputStream out;
    private final RecordIoCompression compression;
    private final int chunkBytes;
    private ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private OutputStream encoder = payload;
    private int recordBytes;
    private int records;
    private long written;
    private boolean unusable;

    private RecordIoWriter(String target, OutputStream out, RecordIoCompression compression, int chunkBytes)
            throws IOException {
        this.target = target;
        this.out = out;
        this.compression = compression;
        this.chunkBytes = chunkBytes;
        startChunk();
    }

    /** Returns a writer of a file with Snappy compression and chunks of 32 MiB; an existing file is replaced. */
    public static RecordIoWriter create(Path file) throws IOException {
        return create(file, RecordIoCompression.SNAPPY, DEFAULT_CHUNK_BYTES);
    }

    /**
     * Returns a writer of a file; an existing file is replaced.
     *
     * @param chunkBytes the maximum record bytes in a chunk before compression, 1 to 512 MiB; every record must be
     *     smaller
     */
    public static RecordIoWriter create(Path file, RecordIoCompression compression, int chunkBytes) throws IOException {
        checkChunkBytes(chunkBytes);
        return new RecordIoWriter(file.toString(), Files.newOutputStream(file), compression, chunkBytes);
    }

    /**
     * Returns a writer to a stream, which is closed with the writer.
     *
     * @param chunkBytes the maximum record bytes in a chunk before compression, 1 to 512 MiB; every record must be
     *     smaller
     */
    public static RecordIoWriter to(OutputStream out, RecordIoCompression compression, int chunkBytes)
            throws IOException {
        checkChunkBytes(chunkBytes);
        return new RecordIoWriter("the stream", out, compression, chunkBytes);
    }

    /**
     * Adds a record; it may be empty.
     *
     * @throws IllegalArgumentException when the record is not smaller than the maximum of record bytes in a chunk
     * @throws IOException when the file cannot be written, or an earlier write failed
     */
    public void write(byte[] record) throws IOException {
        if (unusable) {
            throw new IOException(target + ": the RecordIO writer is closed or failed before; nothing can be added");
        }
        if (record.length >= chunkBytes) {
            throw new IllegalArgumentException(target + ": record " + written + " of " + record.length
                    + " bytes must be smaller than a chunk of " + chunkBytes + " bytes");
        }
        if ((long) recordBytes + record.length > chunkBytes || !readerTakes(record.length)) {
            writeChunk();
            startChunk();
        }
        byte[] length = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(record.length)
                .array();
        encode(length);
        encode(record);
        recordBytes += record.length;
        records++;
        written++;
    }

    /** Returns the number of records added so far. */
    public long records() {
        return written;
    }

    /** Writes the last chunk and closes the file. After a failed write it only closes. */
    @Override
    public void close() throws IOException {
        try (out) {
            if (!unusable) {
                writeChunk();
            }
        } finally {
            unusable = true;
        }
    }

    /** Returns, for example, {@code RecordIoWriter[train-00000: 4096 records, SNAPPY]}. */
    @Override
    public String toString() {
        return "RecordIoWriter[" + target + ": " + written + " records, " + compression + "]";
    }

    private static void checkChunkBytes(int chunkBytes) {
        int most = RecordIoChunk.MAX_SIZE / 2;
        if (chunkBytes < 1 || chunkBytes > most) {
            throw new IllegalArgumentException("a chunk must have 1 to " + most + " bytes, for example "
                    + DEFAULT_CHUNK_BYTES + ", was " + chunkBytes);
        }
    }

    /**
     * Returns whether a reader would accept the current chunk with one more record of this length. A reader rejects
     * chunks above a size, stored or decoded, however small the records are.
     */
    private boolean readerTakes(int length) {
        long perFrame = 16L * (length / 65_536 + 2);
        long decoded = recordBytes + 4L * records + length + 4;
        return Math.max(decoded, payload.size() + length + perFrame) <= RecordIoChunk.MAX_SIZE;
    }

    private void encode(byte[] bytes) throws IOException {
        if (compression == RecordIoCompression.SNAPPY) {
            SnappyFrames.append(bytes, 0, bytes.length, payload);
        } else {
            encoder.write(bytes);
        }
    }

    private void startChunk() throws IOException {
        payload = new ByteArrayOutputStream();
        encoder = compression == RecordIoCompression.GZIP ? new GZIPOutputStream(payload) : payload;
        recordBytes = 0;
        records = 0;
    }

    private void writeChunk() throws IOException {
        if (records == 0) {
            return;
        }
        encoder.close();
        byte[] stored = payload.toByteArray();
        CRC32 crc = new CRC32();
        crc.update(stored);
        RecordIoChunk chunk =
                new RecordIoChunk(0, (int) crc.getValue(), compression, stored.length, records, written - records);
        try {
            out.write(chunk.header());
            out.write(stored);
        } catch (IOException e) {
            unusable = true;
            throw new IOException(
                    target + ": cannot write a chunk of " + stored.length + " bytes: " + e.getMessage(), e);
        }
    }
}
