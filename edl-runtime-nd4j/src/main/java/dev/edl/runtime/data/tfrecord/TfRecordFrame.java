package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.FileView;
import dev.edl.runtime.data.internal.MaskedCrc32c;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Frame of a record in a TFRecord file (tensorflow/core/lib/io/record_writer.h).
 *
 * <p>It consists of the length in 8 bytes, their masked CRC-32C, the record's bytes, and their masked CRC-32C;
 * little-endian.
 */
final class TfRecordFrame {
    /** Size of a frame's header in bytes: the length and its checksum. */
    static final int HEADER = Long.BYTES + Integer.BYTES;
    /** Size of a frame's footer in bytes: the record's checksum. */
    static final int FOOTER = Integer.BYTES;

    private TfRecordFrame() {}

    /** Returns the frame of a record. */
    static byte[] of(byte[] record) {
        ByteBuffer frame = ByteBuffer.allocate(HEADER + record.length + FOOTER).order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(record.length);
        frame.putInt(MaskedCrc32c.of(frame.array(), 0, Long.BYTES));
        frame.put(record).putInt(MaskedCrc32c.of(record, 0, record.length));
        return frame.array();
    }

    /** Returns whether the 12 bytes at a position are a length and its checksum. */
    static boolean isHeader(byte[] bytes, int at) {
        return bytes.length - at >= HEADER
                && littleEndian(bytes).getInt(at + Long.BYTES) == MaskedCrc32c.of(bytes, at, Long.BYTES);
    }

    /**
     * Returns the length in a header, after checking its checksum.
     *
     * @param at index in the array at which the header starts
     * @param position position of the record in the file, for messages
     * @param left number of bytes in the file after the header; {@link Long#MAX_VALUE} if unknown
     */
    static int length(byte[] bytes, int at, TfRecordPosition position, long left) throws CorruptFileException {
        if (!isHeader(bytes, at)) {
            throw position.corrupt(
                    Long.BYTES,
                    "the length's masked CRC-32C " + hex(littleEndian(bytes).getInt(at + Long.BYTES)),
                    hex(MaskedCrc32c.of(bytes, at, Long.BYTES)) + " over its 8 bytes");
        }
        long length = littleEndian(bytes).getLong(at);
        if (Long.compareUnsigned(length, FileView.MOST) > 0) {
            throw position.corrupt(0, "a record of at most " + FileView.MOST + " bytes", Long.toUnsignedString(length));
        }
        if (length > left - FOOTER) {
            throw position.corrupt(
                    0,
                    "a record of " + length + " bytes and its checksum of " + FOOTER,
                    left + " bytes and the end of the file");
        }
        return (int) length;
    }

    /**
     * Checks that the checksum stored after a record is the record's.
     *
     * @param found checksum computed over the record's bytes
     * @param expected checksum that the file stores
     */
    static void check(int found, int expected, int length, TfRecordPosition position) throws CorruptFileException {
        if (found != expected) {
            throw position.corrupt(
                    HEADER + (long) length,
                    "the record's masked CRC-32C " + hex(expected),
                    hex(found) + " over its " + length + " bytes");
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String hex(int word) {
        return String.format("%08x", word);
    }
}
