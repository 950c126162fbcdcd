package dev.edl.runtime.data.recordio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A chunk of a RecordIO file as its header describes it.
 *
 * @param offset where the header starts, in bytes from the start of the file
 * @param checksum CRC-32 (IEEE) of the stored payload
 * @param compression how the payload is stored
 * @param storedSize bytes of the payload in the file
 * @param records how many records the payload holds
 * @param firstRecord index of its first record within the file
 */
record RecordIoChunk(
        long offset, int checksum, RecordIoCompression compression, int storedSize, int records, long firstRecord) {
    static final int MAGIC = 0x01020304;
    static final int HEADER_SIZE = 20;

    /** No chunk is larger, stored or decoded: what a corrupt size may cost in memory. */
    static final int MAX_SIZE = 1 << 30;

    long payloadOffset() {
        return offset + HEADER_SIZE;
    }

    /** Offset of the byte behind the payload. */
    long end() {
        return payloadOffset() + storedSize;
    }

    /** Index behind its last record within the file. */
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
