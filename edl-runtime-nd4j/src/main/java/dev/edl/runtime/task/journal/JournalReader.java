package dev.edl.runtime.task.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of a journal in order, up to a position in the file.
 *
 * <p>An entry is three big-endian ints and the payload. The ints are the payload's length, the CRC-32C of these four
 * length bytes, and the CRC-32C of the payload. The length has its own checksum, so that a damaged length is not
 * mistaken for the end of the file.
 */
final class JournalReader {
    static final int ENTRY_HEADER = 12;
    private static final int WINDOW = 1 << 16;

    private final Path file;
    private final JournalFile bytes;
    private final long end;
    private ByteBuffer window = ByteBuffer.allocate(WINDOW).limit(0);
    private long position;

    JournalReader(Path file, JournalFile bytes, long start, long end) {
        this.file = file;
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    /** Returns the offset of the next entry in the file. */
    long position() {
        return position;
    }

    /**
     * Returns the payload of the next entry, valid until the next call; null at the end and before an incomplete last
     * entry.
     *
     * @throws DamagedJournalException if an entry other than the last one is damaged
     */
    @Nullable
    ByteBuffer next() throws IOException {
        if (!load(ENTRY_HEADER)) {
            return null;
        }
        int at = window.position();
        int length = window.getInt(at);
        int lengthCrc = window.getInt(at + 4);
        int payloadCrc = window.getInt(at + 8);
        int expectedLengthCrc = crc(window.slice(at, 4));
        if (length < 0 || lengthCrc != expectedLengthCrc) {
            return unwritten(ENTRY_HEADER, "the length", lengthCrc, expectedLengthCrc);
        }
        if (end - position < (long) ENTRY_HEADER + length) {
            return null;
        }
        load(ENTRY_HEADER + length);
        ByteBuffer payload = window.slice(window.position() + ENTRY_HEADER, length);
        int found = crc(payload.duplicate());
        if (found != payloadCrc) {
            return unwritten(ENTRY_HEADER + length, "the payload", payloadCrc, found);
        }
        window.position(window.position() + ENTRY_HEADER + length);
        position += ENTRY_HEADER + length;
        return payload;
    }

    /**
     * Returns null for a damaged entry that a crash left unfinished: nothing follows it, or only the zeros of unwritten
     * blocks. Otherwise throws.
     */
    private @Nullable ByteBuffer unwritten(int entryBytes, String what, int stored, int computed) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(WINDOW);
        for (long p = position + entryBytes; p < end; p += block.limit()) {
            block.clear().limit((int) Math.min(WINDOW, end - p));
            readFully(block, p);
            for (int i = 0; i < block.limit(); i++) {
                if (block.get(i) != 0) {
                    throw new DamagedJournalException(
                            String.format(
                                    "%s: the entry at offset %d is damaged: expected CRC-32C %08x of %s, found %08x;"
                                            + " entries follow it, so this is no unfinished write",
                                    file, position, stored, what, computed),
                            ". Restore the file from a copy, or delete it to train from the start",
                            null);
                }
            }
        }
        return null;
    }

    /** Loads the next bytes into the window; returns false if the file has fewer. */
    private boolean load(int bytes) throws IOException {
        if (window.remaining() >= bytes) {
            return true;
        }
        if (end - position < bytes) {
            return false;
        }
        ByteBuffer larger = window.capacity() >= bytes ? window : ByteBuffer.allocate(bytes);
        larger.clear().limit((int) Math.min(larger.capacity(), end - position));
        readFully(larger, position);
        window = larger;
        return true;
    }

    private void readFully(ByteBuffer into, long from) throws IOException {
        bytes.read(into, from);
        if (into.hasRemaining()) {
            throw new EOFException(
                    file + ": expected " + end + " bytes, but the file became shorter while it was read");
        }
        into.flip();
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
