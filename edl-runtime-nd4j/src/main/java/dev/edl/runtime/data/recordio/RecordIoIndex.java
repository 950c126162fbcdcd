package dev.edl.runtime.data.recordio;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Finds the chunks of a RecordIO file by reading their headers and skipping the payloads. */
final class RecordIoIndex {
    private final Path file;
    private final SeekableByteChannel channel;
    private final long fileSize;

    private RecordIoIndex(Path file, SeekableByteChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.fileSize = channel.size();
    }

    static List<RecordIoChunk> of(Path file, SeekableByteChannel channel) throws IOException {
        return new RecordIoIndex(file, channel).chunks();
    }

    private List<RecordIoChunk> chunks() throws IOException {
        List<RecordIoChunk> chunks = new ArrayList<>();
        long records = 0;
        for (long offset = 0; offset < fileSize; ) {
            RecordIoChunk chunk = chunk(offset, records);
            chunks.add(chunk);
            offset = chunk.end();
            records = chunk.endRecord();
        }
        return chunks;
    }

    private RecordIoChunk chunk(long offset, long firstRecord) throws IOException {
        int there = (int) Math.min(RecordIoChunk.HEADER_SIZE, fileSize - offset);
        ByteBuffer header = ByteBuffer.wrap(UninterruptibleFileChannel.exactly(file, channel, offset, there))
                .order(ByteOrder.LITTLE_ENDIAN);
        if (there >= Integer.BYTES && header.getInt(0) != RecordIoChunk.MAGIC) {
            throw new CorruptFileException(
                    file,
                    offset,
                    "the chunk magic 04 03 02 01",
                    HexFormat.ofDelimiter(" ").formatHex(header.array(), 0, Integer.BYTES));
        }
        if (there < RecordIoChunk.HEADER_SIZE) {
            throw new CorruptFileException(
                    file, offset, "a chunk header of 20 bytes", there + " bytes and the end of the file");
        }
        int code = header.getInt(8);
        long storedSize = Integer.toUnsignedLong(header.getInt(12));
        long records = Integer.toUnsignedLong(header.getInt(16));
        Optional<RecordIoCompression> compression = RecordIoCompression.ofCode(code);
        if (compression.isEmpty()) {
            throw lookAlike(offset, header)
                    ? new CorruptFileException(
                            file,
                            offset,
                            "a RecordIO chunk of pyrecordio 0.0.6 or later",
                            "one of elasticdl/pyrecordio 0.0.2, an incompatible format with the same magic;"
                                    + " convert the file with pyrecordio 0.0.6 or later, or with RecordIoWriter")
                    : new CorruptFileException(
                            file,
                            offset + 8,
                            "a compressor of 0 (none), 1 (snappy) or 2 (gzip)",
                            Integer.toUnsignedString(code));
        }
        checkSizes(offset, compression.get(), storedSize, records);
        return new RecordIoChunk(
                offset, header.getInt(4), compression.get(), (int) storedSize, (int) records, firstRecord);
    }

    private void checkSizes(long offset, RecordIoCompression compression, long storedSize, long records)
            throws CorruptFileException {
        long left = fileSize - offset - RecordIoChunk.HEADER_SIZE;
        if (storedSize > left) {
            throw new CorruptFileException(
                    file,
                    offset + 12,
                    "a payload of " + storedSize + " bytes",
                    left + " bytes and the end of the file");
        }
        if (storedSize > RecordIoChunk.MAX_SIZE) {
            throw new CorruptFileException(
                    file, offset + 12, "a payload of at most " + RecordIoChunk.MAX_SIZE + " bytes", "" + storedSize);
        }
        // Each record takes at least the four bytes of its length.
        long most = (compression == RecordIoCompression.NONE ? storedSize : RecordIoChunk.MAX_SIZE) / Integer.BYTES;
        // No writer writes a chunk without records, and accepting one would silently lose its contents.
        if (records < 1 || records > most) {
            throw new CorruptFileException(
                    file, offset + 16, "1 to " + most + " records in " + storedSize + " bytes", "" + records);
        }
    }

    /**
     * Returns whether elasticdl/pyrecordio 0.0.2 wrote a chunk whose header this reader rejects. Reads the payload to
     * compare its CRC-32C with the header's.
     *
     * <p>The header of that version has five 32-bit fields: magic, record count, CRC-32C of the payload, compressor 1
     * to 3, payload size. Returns false if the payload is incomplete or larger than {@link RecordIoChunk#MAX_SIZE}.
     */
    private boolean lookAlike(long offset, ByteBuffer header) throws IOException {
        int compressor = header.getInt(12);
        long size = Integer.toUnsignedLong(header.getInt(16));
        long left = fileSize - offset - RecordIoChunk.HEADER_SIZE;
        if (compressor < 1 || compressor > 3 || size > left || size > RecordIoChunk.MAX_SIZE) {
            return false;
        }
        CRC32C crc = new CRC32C();
        crc.update(UninterruptibleFileChannel.exactly(file, channel, offset + RecordIoChunk.HEADER_SIZE, (int) size));
        return (int) crc.getValue() == header.getInt(8);
    }
}
