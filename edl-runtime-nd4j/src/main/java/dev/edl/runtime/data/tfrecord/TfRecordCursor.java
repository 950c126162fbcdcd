package dev.edl.runtime.data.tfrecord;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.MaskedCrc32c;
import dev.edl.runtime.internal.files.OpenFile;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** Forward-only cursor in a compressed TFRecord file. Not safe for several threads. */
final class TfRecordCursor implements Closeable {
    private final Path file;
    private final String part;
    private final InputStream in;
    private long record;
    private long offset;

    TfRecordCursor(Path file, TfRecordCompression compression) throws IOException {
        this.file = file;
        this.part = compression + " was detected in the first bytes; once decompressed, ";
        InputStream bytes = OpenFile.read(file).input(0);
        try {
            in = new BufferedInputStream(compression.decompress(new BufferedInputStream(bytes)), 1 << 16);
        } catch (IOException e) {
            bytes.close();
            throw broken(e);
        }
    }

    /** Returns the index of the next record. */
    long record() {
        return record;
    }

    /** Advances by one record and checks its checksums; returns false at the end of the file. */
    boolean next(TfRecordSource.Sink sink) throws IOException {
        TfRecordPosition position = new TfRecordPosition(file, part, offset, record);
        byte[] header = bytes(TfRecordFrame.HEADER);
        if (header.length == 0) {
            return false;
        }
        if (header.length < TfRecordFrame.HEADER) {
            throw position.corrupt(0, "a header of 12 bytes", header.length + " bytes and the end of the file");
        }
        int length = TfRecordFrame.length(header, 0, position, Long.MAX_VALUE);
        // The array grows with the bytes read, not by the length's claim.
        byte[] record = bytes(length + TfRecordFrame.FOOTER);
        if (record.length < length + TfRecordFrame.FOOTER) {
            throw position.corrupt(
                    0,
                    "a record of " + length + " bytes and its checksum of " + TfRecordFrame.FOOTER,
                    record.length + " bytes and the end of the file");
        }
        ByteBuffer data = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        TfRecordFrame.check(MaskedCrc32c.of(record, 0, length), data.getInt(length), length, position);
        offset += TfRecordFrame.HEADER + record.length;
        sink.add(this.record++, data.limit(length));
        return true;
    }

    private byte[] bytes(int count) throws IOException {
        try {
            return in.readNBytes(count);
        } catch (ZipException | EOFException e) {
            throw broken(e);
        }
    }

    private IOException broken(IOException e) {
        return e instanceof ZipException || e instanceof EOFException
                ? (IOException) new CorruptFileException(
                                file,
                                offset,
                                part + "record " + record + ", ",
                                "a compressed stream",
                                "invalid bytes: " + e.getMessage())
                        .initCause(e)
                : e;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
