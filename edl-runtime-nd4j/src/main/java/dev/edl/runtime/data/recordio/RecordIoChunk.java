package dev.edl.runtime.data.recordio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Chunk of a RecordIO file as its header describes it.
 *
 * @param offset offset of the chunk's header, in bytes from the start of the file
 * @param checksum CRC-32 (IEEE) of the stored payload
 * @param compression the compression of the payload
 * @param storedSize bytes of the payload in the file
 * @param records the number of records in the payload
 * @param firstRecord index of the chunk's first record within the file
 */
record RecordIoChunk(
        long offset, int checksum, RecordIoCompression compression, int storedSize, int records, long firstRecord) {
    static final int MAGIC = 0x01020304;
    static final int HEADER_SIZE = 20;

    /**
     * Maximum size of a chunk in bytes, stored or decoded; limits the memory that a reader allocates for a corrupt
     * size.
     */
    static final int MAX_SIZE = 1 << 30;

    long payloadOffset() {
        return offset + HEADER_SIZE;
    }

    /** Returns the offset of the byte after the payload. */
    long end() {
        return payloadOffset() + storedSize;
    }

    /** Returns the index, within the file, after that of the chunk's last record. */
    long endRecord() {
        return firstRecord + records;
    }

    byte[] header() {
        return ByteBuffer.allocate(HEADER_SIZE)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(checksum)
                .putInt(compression.code())
                .putInt(storedSize)
                .putInt(records)
                .array();
    }
}
