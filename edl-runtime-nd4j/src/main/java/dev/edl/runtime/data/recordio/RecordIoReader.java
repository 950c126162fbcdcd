package dev.edl.runtime.data.recordio;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.internal.FileView;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reader of RecordIO files that {@code wangkuiyi/recordio} (Go) or {@code pyrecordio} 0.0.6 and later wrote.
 *
 * <pre>{@code
 * RecordIoReader reader = RecordIoReader.open(Path.of("train-00000"));
 * reader.records();                              // 4096
 * List<byte[]> some = reader.read(128, 192);     // records 128 to 191
 * }</pre>
 *
 * <p>Opening reads the chunk headers only; a range reads its chunks, and checks their checksums. The last chunk stays
 * decoded, so that sequential reads are cheap. No file is held open between calls, so there is nothing to close. Safe
 * for several threads. A file without bytes holds 0 records.
 *
 * <p>Every method that reads throws {@link CorruptFileException} when the file violates the format.
 */
public final class RecordIoReader {
    private final FileView file;
    private final List<RecordIoChunk> chunks;
    private volatile @Nullable RecordIoPayload last;

    private RecordIoReader(FileView file, List<RecordIoChunk> chunks) {
        this.file = file;
        this.chunks = List.copyOf(chunks);
    }

    /**
     * Opens a file and reads its chunk headers.
     *
     * @throws java.nio.file.NoSuchFileException when the file does not exist
     * @throws CorruptFileException when a chunk header is invalid, truncated or of another format
     */
    public static RecordIoReader open(Path file) throws IOException {
        try (UninterruptibleFileChannel bytes = new UninterruptibleFileChannel(DataFiles.file(file, "RecordIO"))) {
            return new RecordIoReader(new FileView(file, bytes.size()), RecordIoIndex.of(file, bytes));
        }
    }

    /** Returns the file's path as passed to {@code open}. */
    public Path file() {
        return file.file();
    }

    /** Returns the number of records that the chunk headers announce. */
    public long records() {
        return chunks.isEmpty() ? 0 : chunks.get(chunks.size() - 1).endRecord();
    }

    /**
     * Returns a copy of one record.
     *
     * @param index index of the record within the file, from 0 to {@link #records()} (exclusive)
     */
    public byte[] read(long index) throws IOException {
        return read(index, Math.addExact(index, 1)).get(0);
    }

    /**
     * Returns copies of the records {@code start} (inclusive) to {@code end} (exclusive), in order.
     *
     * @throws IndexOutOfBoundsException when the range is not within 0 to {@link #records()}
     */
    public List<byte[]> read(long start, long end) throws IOException {
        checkRange(start, end);
        checkSize();
        List<byte[]> records = new ArrayList<>(Math.toIntExact(end - start));
        for (long index = start; index < end; ) {
            RecordIoPayload payload = payloadOf(index);
            long stop = Math.min(end, payload.chunk().endRecord());
            while (index < stop) {
                records.add(payload.record(index++));
            }
        }
        return records;
    }

    /** Returns, for example, {@code RecordIoReader[train-00000: 4096 records in 1 chunks]}. */
    @Override
    public String toString() {
        return "RecordIoReader[" + file() + ": " + records() + " records in " + chunks.size() + " chunks]";
    }

    void checkRange(long start, long end) {
        if (start < 0 || end < start || end > records()) {
            throw new IndexOutOfBoundsException(
                    file() + ": range [" + start + ", " + end + ") is outside its " + records() + " records");
        }
    }

    /** Rejects a file that has become shorter since it was opened. */
    void checkSize() throws IOException {
        file.checkSize();
    }

    /** Returns the chunk that holds a record. */
    RecordIoChunk chunkOf(long index) {
        RecordIoChunk probe = new RecordIoChunk(0, 0, RecordIoCompression.NONE, 0, 1, index);
        int at = Collections.binarySearch(
                chunks,
                probe,
                (a, b) -> a.endRecord() <= b.firstRecord() ? -1 : a.firstRecord() > b.firstRecord() ? 1 : 0);
        return chunks.get(at);
    }

    private RecordIoPayload payloadOf(long index) throws IOException {
        RecordIoChunk chunk = chunkOf(index);
        RecordIoPayload payload = last;
        if (payload == null || !payload.chunk().equals(chunk)) {
            payload = load(chunk);
            last = payload;
        }
        return payload;
    }

    /** Checks and decodes a chunk, without caching it. */
    RecordIoPayload load(RecordIoChunk chunk) throws IOException {
        return RecordIoPayload.decode(file(), chunk, file.slice(chunk.payloadOffset(), chunk.storedSize()));
    }
}
