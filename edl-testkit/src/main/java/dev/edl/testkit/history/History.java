package dev.edl.testkit.history;

import dev.edl.runtime.history.HistoryEvent;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Recorded events of a run, in order.
 *
 * <p>A history read from a file is not held in memory: each call of {@link #forEach} reads the file again, one event at
 * a time. So a history may be larger than memory. Event numbers count from 1. Immutable and thread-safe.
 *
 * <pre>{@code
 * HistoryReport report = HistoryChecker.check(History.read(Path.of("run.history")));
 * }</pre>
 */
public final class History {
    private static final byte[] MAGIC = "EDLHIST1".getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER = 1 << 16;
    private static final int LARGEST = 1 << 30;

    private final @Nullable Path file;
    private final List<HistoryEvent> inMemory;
    private final long count;
    private final @Nullable String tear;

    private History(@Nullable Path file, List<HistoryEvent> inMemory, long count, @Nullable String tear) {
        this.file = file;
        this.inMemory = inMemory;
        this.count = count;
        this.tear = tear;
    }

    /** Returns a history of these events. */
    public static History of(List<? extends HistoryEvent> events) {
        List<HistoryEvent> copy = List.copyOf(events);
        return new History(null, copy, copy.size(), null);
    }

    /**
     * Opens a recorded history and scans it once. If the last event is incomplete, because the process that wrote the
     * file was killed, the history has only the complete events, and {@link #tear()} describes the rest.
     *
     * @throws IOException if the file cannot be read, is not a history, or is damaged before its last event; the message
     *     names the file and the offset
     */
    public static History read(Path file) throws IOException {
        long[] count = {0};
        String tear = scan(file, Long.MAX_VALUE, bytes -> count[0]++);
        return new History(file, List.of(), count[0], tear);
    }

    /** Returns the number of events. */
    public long count() {
        return count;
    }

    /** Returns a description of the incomplete last event; empty if the file ends cleanly. */
    public Optional<String> tear() {
        return Optional.ofNullable(tear);
    }

    /**
     * Passes every event to a consumer, in order.
     *
     * @throws UncheckedIOException if the file can no longer be read, or an event in it cannot be decoded
     */
    public void forEach(Consumer<? super HistoryEvent> visitor) {
        if (file == null) {
            inMemory.forEach(visitor);
            return;
        }
        long[] number = {0};
        try {
            scan(file, count, bytes -> {
                number[0]++;
                visitor.accept(decode(bytes, number[0]));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HistoryEvent decode(byte[] bytes, long number) {
        try {
            return HistoryEventReader.read(bytes);
        } catch (IllegalArgumentException e) {
            throw new UncheckedIOException(new IOException(
                    file + ": event " + number + " was written by another version of EDL: expected " + e.getMessage(),
                    e));
        }
    }

    private static @Nullable String scan(Path file, long most, Consumer<byte[]> visitor) throws IOException {
        long size = Files.size(file);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
            byte[] magic = in.readNBytes(MAGIC.length);
            if (!Arrays.equals(magic, MAGIC)) {
                throw new IOException(file + ": expected a history, which begins with \"EDLHIST1\"");
            }
            long at = magic.length;
            for (long read = 0; read < most && at < size; read++) {
                byte[] event = event(in, file, at, size);
                if (event == null) {
                    return "the last " + (size - at) + " bytes, from offset " + at + ", are not a complete event";
                }
                visitor.accept(event);
                at += 2L * Integer.BYTES + event.length;
            }
            return null;
        }
    }

    /** Returns the bytes of the next event; null if the file ends before the event does. */
    private static byte @Nullable [] event(DataInputStream in, Path file, long at, long size) throws IOException {
        if (size - at < 2L * Integer.BYTES) {
            return null;
        }
        int length = in.readInt();
        int stored = in.readInt();
        long end = at + 2L * Integer.BYTES + length;
        if (length > 0 && length <= LARGEST && end > size) {
            return null;
        }
        if (length <= 0 || length > LARGEST) {
            throw new IOException(file + ": the event at offset " + at + " is damaged: its length is " + length);
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException(file + ": the file became shorter while it was read");
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        if ((int) crc.getValue() == stored) {
            return bytes;
        }
        if (end == size) {
            return null;
        }
        throw new IOException(String.format(
                "%s: the event at offset %d is damaged: expected CRC-32C %08x, found %08x; events follow it, so this"
                        + " is no unfinished write",
                file, at, stored, (int) crc.getValue()));
    }

    /** Returns text for people, for example {@code 1200 events}; for a torn file also its torn end. */
    @Override
    public String toString() {
        return count + " events" + (tear == null ? "" : "; torn: " + tear);
    }
}
