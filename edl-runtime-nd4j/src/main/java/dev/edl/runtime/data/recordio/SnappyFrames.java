package dev.edl.runtime.data.recordio;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.BufferOrigin;
import dev.edl.runtime.data.internal.MaskedCrc32c;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.xerial.snappy.Snappy;

/**
 * Snappy framing format, written as Go's unbuffered {@code snappy.Writer} does.
 *
 * <p>Each write becomes separate frames of at most 65,536 bytes, compressed only if that saves an eighth. The library's
 * own framed stream joins writes and has another threshold, so its bytes would differ from those of the RecordIO tools.
 * Only its block compressor is used.
 */
final class SnappyFrames {
    private static final byte[] STREAM_ID = {(byte) 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'};
    private static final int COMPRESSED = 0x00;
    private static final int STORED = 0x01;
    private static final int FIRST_SKIPPABLE = 0x80;
    private static final int STREAM = 0xff;
    private static final int FRAME_HEADER = 4;
    private static final int CRC = 4;
    private static final int MOST_IN_FRAME = 65_536;

    private SnappyFrames() {}

    /** Appends the frames of one write to {@code out}; if {@code out} is empty, the stream identifier precedes them. */
    static void append(byte[] bytes, int from, int length, ByteArrayOutputStream out) throws IOException {
        if (length > 0 && out.size() == 0) {
            out.writeBytes(STREAM_ID);
        }
        for (int at = from; at < from + length; at += MOST_IN_FRAME) {
            frame(bytes, at, Math.min(MOST_IN_FRAME, from + length - at), out);
        }
    }

    private static void frame(byte[] bytes, int from, int length, ByteArrayOutputStream out) throws IOException {
        byte[] block = new byte[Snappy.maxCompressedLength(length)];
        int compressed = Snappy.compress(bytes, from, length, block, 0);
        boolean worthIt = compressed < length - length / 8;
        int size = CRC + (worthIt ? compressed : length);
        ByteBuffer header = ByteBuffer.allocate(FRAME_HEADER + CRC).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(size << 8 | (worthIt ? COMPRESSED : STORED));
        header.putInt(MaskedCrc32c.of(bytes, from, length));
        out.writeBytes(header.array());
        if (worthIt) {
            out.write(block, 0, compressed);
        } else {
            out.write(bytes, from, length);
        }
    }

    /**
     * Decodes a whole stream of frames.
     *
     * @param limit the maximum number of decoded bytes
     */
    static byte[] decode(byte[] stream, BufferOrigin origin, int limit) throws CorruptFileException {
        byte[] out = new byte[decodedLength(stream, origin, limit)];
        int written = 0;
        for (int at = 0; at < stream.length; at = end(stream, at, origin)) {
            int type = stream[at] & 0xff;
            if (type == COMPRESSED || type == STORED) {
                int length = frameLength(stream, at, origin);
                copy(stream, at, origin, out, written, length);
                int expected = MaskedCrc32c.of(out, written, length);
                int found = littleEndian(stream, at + FRAME_HEADER);
                if (expected != found) {
                    throw origin.corrupt(
                            at + FRAME_HEADER, "the frame checksum " + hex(found), hex(expected) + " in its data");
                }
                written += length;
            }
        }
        return out;
    }

    private static void copy(byte[] stream, int at, BufferOrigin origin, byte[] out, int to, int length)
            throws CorruptFileException {
        int data = at + FRAME_HEADER + CRC;
        if (stream[at] == STORED) {
            System.arraycopy(stream, data, out, to, length);
            return;
        }
        try {
            // Checked first, because the native decoder assumes that its target is large enough.
            int size = end(stream, at, origin) - data;
            if (!Snappy.isValidCompressedBuffer(stream, data, size)) {
                throw origin.corrupt(data, "a Snappy block", "invalid bytes");
            }
            Snappy.uncompress(stream, data, size, out, to);
        } catch (CorruptFileException e) {
            throw e;
        } catch (IOException e) {
            throw (CorruptFileException)
                    origin.corrupt(data, "a Snappy block", "invalid bytes").initCause(e);
        }
    }

    private static int decodedLength(byte[] stream, BufferOrigin origin, int limit) throws CorruptFileException {
        long total = 0;
        for (int at = 0; at < stream.length; at = end(stream, at, origin)) {
            int type = stream[at] & 0xff;
            if (at == 0 || type == STREAM) {
                int end = Math.min(stream.length, at + STREAM_ID.length);
                if (!Arrays.equals(stream, at, end, STREAM_ID, 0, STREAM_ID.length)) {
                    throw origin.corrupt(at, "the Snappy stream identifier", hex(stream, at, end));
                }
            } else if (type == COMPRESSED || type == STORED) {
                total += frameLength(stream, at, origin);
                if (total > limit) {
                    throw origin.corrupt(at, "frames of at most " + limit + " bytes in all", "more than that");
                }
            } else if (type < FIRST_SKIPPABLE) {
                throw origin.corrupt(
                        at, "a Snappy frame of type 00, 01 or 80 to ff", "type " + hex(stream, at, at + 1));
            }
        }
        return (int) total;
    }

    /** Returns the number of bytes to which a data frame decodes, from the frame's header alone. */
    private static int frameLength(byte[] stream, int at, BufferOrigin origin) throws CorruptFileException {
        int data = at + FRAME_HEADER + CRC;
        int end = end(stream, at, origin);
        if (data > end) {
            throw origin.corrupt(at, "a frame with a checksum of 4 bytes", (end - at - FRAME_HEADER) + " bytes");
        }
        int length = stream[at] == STORED ? end - data : varint(stream, data, end);
        if (length < 0 || length > MOST_IN_FRAME) {
            throw origin.corrupt(at, "a frame of at most 65536 bytes", Integer.toUnsignedString(length));
        }
        return length;
    }

    /** Returns the decoded length that precedes a Snappy block; for invalid bytes, a value beyond any legal frame. */
    private static int varint(byte[] stream, int from, int end) {
        int value = 0;
        for (int i = 0; i < 3 && from + i < end; i++) {
            value |= (stream[from + i] & 0x7f) << (7 * i);
            if (stream[from + i] >= 0) {
                return value;
            }
        }
        return Integer.MAX_VALUE;
    }

    private static int end(byte[] stream, int at, BufferOrigin origin) throws CorruptFileException {
        if (stream.length - at < FRAME_HEADER) {
            throw origin.corrupt(
                    at, "a Snappy frame header of 4 bytes", (stream.length - at) + " bytes and the end of the chunk");
        }
        int size = littleEndian(stream, at) >>> 8;
        if (size > stream.length - at - FRAME_HEADER) {
            throw origin.corrupt(
                    at,
                    "a Snappy frame of " + size + " bytes",
                    (stream.length - at - FRAME_HEADER) + " bytes and the end of the chunk");
        }
        return at + FRAME_HEADER + size;
    }

    private static int littleEndian(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
    }

    private static String hex(int word) {
        return String.format("%08x", word);
    }

    private static String hex(byte[] bytes, int from, int to) {
        return java.util.HexFormat.ofDelimiter(" ").formatHex(bytes, from, to);
    }
}
