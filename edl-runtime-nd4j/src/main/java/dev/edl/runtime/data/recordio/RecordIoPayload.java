package dev.edl.runtime.data.recordio;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.BufferOrigin;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Immutable records of one chunk, decompressed and checked. */
final class RecordIoPayload {
    private final RecordIoChunk chunk;
    private final ByteBuffer decoded;
    private final int[] starts;

    private RecordIoPayload(RecordIoChunk chunk, ByteBuffer decoded, int[] starts) {
        this.chunk = chunk;
        this.decoded = decoded;
        this.starts = starts;
    }

    /** Checks and decodes the stored bytes of a chunk; uncompressed records are not copied. */
    static RecordIoPayload decode(Path file, RecordIoChunk chunk, ByteBuffer stored) throws CorruptFileException {
        CRC32 crc = new CRC32();
        crc.update(stored.duplicate());
        if ((int) crc.getValue() != chunk.checksum()) {
            throw new CorruptFileException(
                    file,
                    chunk.offset() + 4,
                    String.format("the payload's CRC-32 %08x", chunk.checksum()),
                    String.format("%08x over its %d bytes", crc.getValue(), stored.remaining()));
        }
        BufferOrigin origin = new BufferOrigin(file, "", chunk.payloadOffset());
        ByteBuffer decoded = switch (chunk.compression()) {
            case NONE -> stored;
            case SNAPPY -> ByteBuffer.wrap(SnappyFrames.decode(bytes(stored), origin, RecordIoChunk.MAX_SIZE));
            case GZIP -> ByteBuffer.wrap(gunzip(bytes(stored), origin));
        };
        decoded.order(ByteOrder.LITTLE_ENDIAN);
        return new RecordIoPayload(chunk, decoded, starts(file, chunk, decoded));
    }

    RecordIoChunk chunk() {
        return chunk;
    }

    /** Returns a copy of a record, by its index within the file. */
    byte[] record(long index) {
        ByteBuffer selected = select(view(), index);
        byte[] record = new byte[selected.remaining()];
        selected.get(record);
        return record;
    }

    /** Returns a view of the records that one thread passes to {@link #select}; each thread needs its own. */
    ByteBuffer view() {
        return decoded.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Sets position and limit of a view to a record, by its index within the file. */
    ByteBuffer select(ByteBuffer view, long index) {
        int i = (int) (index - chunk.firstRecord());
        int end = i + 1 < starts.length ? starts[i + 1] - Integer.BYTES : decoded.capacity();
        return view.limit(end).position(starts[i]);
    }

    /** Returns the approximate size of the records on the heap in bytes; mapped records take none. */
    long weight() {
        return (decoded.isDirect() ? 0 : decoded.capacity()) + (long) Integer.BYTES * starts.length;
    }

    private static byte[] bytes(ByteBuffer stored) {
        byte[] bytes = new byte[stored.remaining()];
        stored.duplicate().get(bytes);
        return bytes;
    }

    private static byte[] gunzip(byte[] stored, BufferOrigin origin) throws CorruptFileException {
        if (stored.length == 0) {
            return stored;
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stored))) {
            byte[] decoded = in.readNBytes(RecordIoChunk.MAX_SIZE);
            if (in.read() >= 0) {
                throw origin.corrupt(0, "at most " + RecordIoChunk.MAX_SIZE + " bytes once decompressed", "more");
            }
            return decoded;
        } catch (ZipException | EOFException e) {
            throw (CorruptFileException) origin.corrupt(0, "a gzip stream", "invalid bytes: " + e.getMessage())
                    .initCause(e);
        } catch (CorruptFileException e) {
            throw e;
        } catch (IOException e) {
            throw new AssertionError("reading from memory cannot fail", e);
        }
    }

    private static int[] starts(Path file, RecordIoChunk chunk, ByteBuffer decoded) throws CorruptFileException {
        int size = decoded.capacity();
        // Sized by the existing bytes, not by the header's claim.
        int[] starts = new int[Math.min(chunk.records(), size / Integer.BYTES)];
        int found = 0;
        for (int at = 0; at < size; found++) {
            int left = size - at - Integer.BYTES;
            if (left < 0) {
                throw new CorruptFileException(
                        file,
                        place(chunk, at),
                        "the length of record " + (chunk.firstRecord() + found) + " in 4 bytes",
                        (size - at) + " bytes and the end of the chunk");
            }
            long length = Integer.toUnsignedLong(decoded.getInt(at));
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

    /**
     * Returns the offset in the file of a byte of the payload: exact without compression, otherwise that of the
     * compressed payload's start.
     */
    private static long place(RecordIoChunk chunk, int at) {
        return chunk.payloadOffset() + (chunk.compression() == RecordIoCompression.NONE ? at : 0);
    }
}
