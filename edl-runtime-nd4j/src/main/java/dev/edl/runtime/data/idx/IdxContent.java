package dev.edl.runtime.data.idx;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.BufferOrigin;
import dev.edl.runtime.data.internal.FileView;
import dev.edl.runtime.data.internal.UninterruptibleFileChannel;
import dev.edl.runtime.internal.files.OpenFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of an IDX file; a gzip file is decompressed once, into memory up to a limit, otherwise into a temporary file.
 *
 * <p>Closing deletes the temporary file.
 */
final class IdxContent implements Closeable {
    private static final int BUFFER = 1 << 16;
    /** Beginning of a position in a file that was decompressed, because it may be no gzip file. */
    private static final String GZIP = "gzip was detected in the first bytes; ";

    private final FileView view;
    private final IdxHeader header;
    private final @Nullable Path temporary;

    private IdxContent(FileView view, IdxHeader header, @Nullable Path temporary) {
        this.view = view;
        this.header = header;
        this.temporary = temporary;
    }

    /**
     * Opens a file.
     *
     * @param inMemory the maximum number of decompressed bytes in memory
     */
    static IdxContent open(Path file, int inMemory) throws IOException {
        byte[] start = new byte[2];
        long size;
        try (UninterruptibleFileChannel bytes = new UninterruptibleFileChannel(file)) {
            size = bytes.size();
            start = UninterruptibleFileChannel.exactly(file, bytes, 0, (int) Math.min(2, size));
        }
        if (start.length == 2 && start[0] == 0x1f && start[1] == (byte) 0x8b) {
            try {
                return decompress(file, inMemory);
            } catch (ZipException | EOFException e) {
                throw (CorruptFileException)
                        new CorruptFileException(file, 0, GZIP, "a gzip stream", "invalid bytes: " + e.getMessage())
                                .initCause(e);
            }
        }
        FileView view = new FileView(file, size);
        return new IdxContent(view, IdxHeader.of(new BufferOrigin(file, "", 0), view), null);
    }

    FileView view() {
        return view;
    }

    IdxHeader header() {
        return header;
    }

    private static IdxContent decompress(Path file, int inMemory) throws IOException {
        try (InputStream in = gunzip(file)) {
            // The array grows with the bytes read; one byte more than the limit shows that there are more.
            byte[] start = in.readNBytes(inMemory + 1);
            FileView memory = FileView.of(file, start);
            BufferOrigin origin = new BufferOrigin(file, GZIP + "once decompressed, ", 0);
            if (start.length <= inMemory) {
                return new IdxContent(memory, IdxHeader.of(origin, memory), null);
            }
            // At most this many bytes are written to the disk, regardless of the stream's content.
            IdxHeader header = IdxHeader.head(origin, memory);
            long expected =
                    header.size() + header.elements(origin) * header.type().size();
            return spill(origin, start, in, expected);
        }
    }

    private static IdxContent spill(BufferOrigin origin, byte[] start, InputStream in, long expected)
            throws IOException {
        Path temporary = Files.createTempFile("edl-idx-", ".tmp");
        try {
            long size = start.length;
            try (OutputStream out =
                    OpenFile.open(temporary, StandardOpenOption.WRITE).output()) {
                out.write(start);
                byte[] buffer = new byte[BUFFER];
                for (int count = in.read(buffer); count >= 0 && size <= expected; count = in.read(buffer)) {
                    out.write(buffer, 0, count);
                    size += count;
                }
            }
            FileView view = new FileView(temporary, size);
            return new IdxContent(view, IdxHeader.of(origin, view), temporary);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    private static InputStream gunzip(Path file) throws IOException {
        InputStream bytes = OpenFile.read(file).input(0);
        try {
            return new GZIPInputStream(bytes, BUFFER);
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        if (temporary != null) {
            Files.deleteIfExists(temporary);
        }
    }
}
