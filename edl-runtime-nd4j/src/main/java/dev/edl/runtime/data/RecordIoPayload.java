package dev.edl.runtime.data;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** The records of one chunk, decompressed and checked. Immutable. */
final class RecordIoPayload {
    private final RecordIoChunk chunk;
    private final byte[] decoded;
    private final int[] starts;

    private RecordIoPayload(RecordIoChunk chunk, byte[] decoded, int[] starts) {
        this.chunk = chunk;
        this.decoded = decoded;
        this.starts = starts;
    }

    /** Checks and decodes what a chunk stores. */
    static RecordIoPayload decode(Path file, RecordIoChunk chunk, byte[] stored) throws CorruptFileException {
        CRC32 crc = new CRC32();
        crc.update(stored);
        if ((int) crc.getValue() != chunk.checksum()) {
            throw new CorruptFileException(
                    file,
                    chunk.offset() + 4,
                    String.format("the payload's CRC-32 %08x", chunk.checksum()),
                    String.format("%08x over its %d bytes", crc.getValue(), stored.length));
        }
        FileSpan span = new FileSpan(file, chunk.payloadOffset());
        byte[] decoded = switch (chunk.compression()) {
            case NONE -> stored;
            case SNAPPY -> SnappyFrames.decode(stored, span, RecordIoChunk.MAX_SIZE);
            case GZIP -> gunzip(stored, span);
        };
        return new RecordIoPayload(chunk, decoded, starts(file, chunk, decoded));
    }

    RecordIoChunk chunk() {
        return chunk;
    }

    /** A copy of a record, by its index within the file. */
    byte[] record(long index) {
        int i = (int) (index - chunk.firstRecord());
        int end = i + 1 < starts.length ? starts[i + 1] - Integer.BYTES : decoded.length;
        return Arrays.copyOfRange(decoded, starts[i], end);
    }

    /** Bytes of memory that it takes, near enough. */
    long weight() {
        return decoded.length + (long) Integer.BYTES * starts.length;
    }

    private static byte[] gunzip(byte[] stored, FileSpan span) throws CorruptFileException {
        if (stored.length == 0) {
            return stored;
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stored))) {
            byte[] decoded = in.readNBytes(RecordIoChunk.MAX_SIZE);
            if (in.read() >= 0) {
                throw span.corrupt(0, "at most " + RecordIoChunk.MAX_SIZE + " bytes once decompressed", "more");
            }
            return decoded;
        } catch (ZipException | EOFException e) {
            throw (CorruptFileException) span.corrupt(0, "a gzip stream", "bytes that are none: " + e.getMessage())
                    .initCause(e);
        } catch (CorruptFileException e) {
            throw e;
        } catch (IOException e) {
            throw new AssertionError("reading from memory cannot fail", e);
        }
    }

    private static int[] starts(Path file, RecordIoChunk chunk, byte[] decoded) throws CorruptFileException {
        ByteBuffer lengths = ByteBuffer.wrap(decoded).order(ByteOrder.LITTLE_ENDIAN);
        // Sized by what is there, not by what the header claims.
        int[] starts = new int[Math.min(chunk.records(), decoded.length / Integer.BYTES)];
        int found = 0;
        for (int at = 0; at < decoded.length; found++) {
            int left = decoded.length - at - Integer.BYTES;
            if (left < 0) {
                throw new CorruptFileException(
                        file,
                        place(chunk, at),
                        "the length of record " + (chunk.firstRecord() + found) + " in 4 bytes",
                        (decoded.length - at) + " bytes and the end of the chunk");
            }
            long length = Integer.toUnsignedLong(lengths.getInt(at));
            if (length > left) {
                throw new CorruptFileException(
                        file,
                        place(chunk, at),
                        "record " + (chunk.firstRecord() + found) + " of " + length + " bytes",
                        left + " bytes and the end of the chunk");
            }
            if (found < starts.length) {
                starts[found] = at + Integer.BYTES;
            }
            at += Integer.BYTES + (int) length;
        }
        if (found != chunk.records()) {
            throw new CorruptFileException(
                    file, chunk.offset() + 16, chunk.records() + " records in the chunk", "" + found);
        }
        return starts;
    }

    /** A place in the file: exact without compression, else where the compressed payload starts. */
    private static long place(RecordIoChunk chunk, int at) {
        return chunk.payloadOffset() + (chunk.compression() == RecordIoCompression.NONE ? at : 0);
    }
}
