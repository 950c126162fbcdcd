package dev.edl.runtime.history;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to a file as they occur: eight bytes of magic, then for each event its length, the CRC-32C of its
 * bytes (both big-endian ints), and its bytes. Holds one event and one buffer in memory for a run of any length.
 *
 * <p>A write error must not stop a training in the middle of an update. The first error ends the recording, and
 * {@link #close()} throws it. Thread-safe.
 */
final class HistoryWriter implements Consumer<HistoryEvent>, Closeable {
    static final byte[] MAGIC = "EDLHIST1".getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final DataOutputStream out;
    private final EventEncoder event = new EventEncoder();
    private long written;
    private boolean closed;
    private @Nullable IOException failure;

    HistoryWriter(Path file) throws IOException {
        this(file, open(file));
    }

    /** Creates a writer to a stream; {@code file} is used only in messages. */
    HistoryWriter(Path file, OutputStream bytes) throws IOException {
        this.file = file;
        this.out = new DataOutputStream(new BufferedOutputStream(bytes, BUFFER));
        out.write(MAGIC);
    }

    private static OutputStream open(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        return Files.newOutputStream(file);
    }

    /** Writes one event; ignores it after an error or after the end. */
    @Override
    public synchronized void accept(HistoryEvent next) {
        if (closed || failure != null) {
            return;
        }
        HistoryEventWriter.write(next, event.clear());
        CRC32C crc = new CRC32C();
        crc.update(event.bytes(), 0, event.size());
        try {
            out.writeInt(event.size());
            out.writeInt((int) crc.getValue());
            out.write(event.bytes(), 0, event.size());
            written++;
        } catch (IOException e) {
            failure = e;
        }
    }

    /**
     * Ends the recording.
     *
     * @throws IOException if not every event could be written; the message has the number of written events
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            out.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw new IOException(
                    file + ": the history is not complete; " + written + " events were recorded until " + failure,
                    failure);
        }
    }
}
