package dev.edl.runtime.task;

import dev.edl.runtime.internal.files.AtomicRename;
import dev.edl.runtime.internal.files.DirectorySync;
import dev.edl.runtime.internal.files.OpenFile;
import dev.edl.runtime.internal.text.CountText;
import dev.edl.runtime.task.internal.Encoder;
import dev.edl.runtime.task.internal.GroupSync;
import dev.edl.runtime.task.internal.JournalFile;
import dev.edl.runtime.task.internal.JournalReader;
import dev.edl.runtime.task.internal.SpecCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Append-only file of a ledger's events, from which a new master resumes.
 *
 * <pre>{@code
 * try (FileJournal journal = FileJournal.open(folder.resolve("tasks.journal"), spec)) {
 *     TaskLedger ledger = TaskLedger.replay(spec, journal.events(), journal);
 *     ...
 * }
 * }</pre>
 *
 * <p>The {@link Durability} decides what an event survives after {@link #accept} returns. With the default,
 * {@link Durability#PROCESS}, the event is written to the operating system. A failure beyond the durability loses the
 * last events, and a later master assigns their task ids again. So choose a durability that covers every failure that
 * workers survive.
 *
 * <p>The file has the 8 bytes {@code EDLTASK1}, then entries as {@link JournalReader} describes. The first entry holds
 * the spec, each other one an event. Only one process at a time may open the file. Not thread-safe. Interrupts of the
 * calling thread have no effect.
 */
public final class FileJournal implements Consumer<LedgerEvent>, AutoCloseable {
    private static final int BUFFER = 32 * 1024;
    private static final byte[] MAGIC = {'E', 'D', 'L', 'T', 'A', 'S', 'K', '1'};

    private final Path file;
    private final JournalFile bytes;
    private final LedgerEventCodec codec;
    private final Durability durability;
    private final @Nullable GroupSync group;
    private final Encoder encoder = new Encoder();
    private final long firstEvent;
    private final long tornBytes;
    private long entries;
    private long end;
    private @Nullable IOException failure;
    private boolean closed;

    FileJournal(Path file, JournalFile bytes, LedgerSpec spec, Durability durability, @Nullable SyncTimer timer)
            throws IOException {
        this.file = file;
        this.bytes = bytes;
        this.codec = new LedgerEventCodec(spec);
        this.durability = durability;
        this.group = timer == null ? null : new GroupSync(bytes, timer);
        long size = bytes.size();
        JournalReader reader = new JournalReader(file, bytes, checkMagic(size), size);
        checkSpec(reader, spec);
        this.firstEvent = reader.position();
        while (reader.next() != null) {
            entries++;
        }
        this.end = reader.position();
        this.tornBytes = size - end;
        if (tornBytes > 0) {
            bytes.truncate(end);
            bytes.sync();
        }
    }

    /** Opens a journal for reading and appending, with {@link Durability#PROCESS}. */
    public static FileJournal open(Path file, LedgerSpec spec) throws IOException {
        return open(file, spec, Durability.PROCESS);
    }

    /**
     * Opens a journal for reading and appending; creates the file and its folders if they do not exist. Checks all
     * entries. Truncates a last entry that a crash left unfinished, see {@link #tornBytes()}.
     *
     * @param durability failures that an appended event survives; not {@link Durability#GROUP}, which needs a timer
     * @throws DamagedJournalException if the file is no journal, is damaged, or is of another spec. The message names
     *     file, offset, expected and found, or the differences of the specs
     * @throws IOException if the file cannot be read or written, or is open in another process
     */
    public static FileJournal open(Path file, LedgerSpec spec, Durability durability) throws IOException {
        if (durability == Durability.GROUP) {
            throw new IllegalArgumentException(
                    file + ": Durability.GROUP needs a timer; open(file, spec, timer) takes one");
        }
        return open(file, spec, durability, null);
    }

    /**
     * Opens a journal with {@link Durability#GROUP}; creates it as {@link #open(Path, LedgerSpec, Durability)} does.
     * After a failed sync, the next {@link #accept} or {@link #close} throws.
     *
     * @param timer runs the syncs, at most one per 50 ms
     * @throws IOException as in {@link #open(Path, LedgerSpec, Durability)}
     */
    public static FileJournal open(Path file, LedgerSpec spec, SyncTimer timer) throws IOException {
        return open(file, spec, Durability.GROUP, timer);
    }

    private static FileJournal open(Path file, LedgerSpec spec, Durability durability, @Nullable SyncTimer timer)
            throws IOException {
        if (!Files.exists(file)) {
            create(file, spec);
        }
        JournalFile bytes = new JournalFile(file, durability == Durability.CLOSE ? BUFFER : 0);
        try {
            return new FileJournal(file, bytes, spec, durability, timer);
        } catch (IOException | RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    /** Writes the header to a temporary file and renames it, so that no crash leaves half a header. */
    private static void create(Path file, LedgerSpec spec) throws IOException {
        Path folder = file.toAbsolutePath().normalize().getParent();
        if (folder == null) {
            throw new IOException(file + ": a journal must be a file in a folder, for example run/tasks.journal");
        }
        Files.createDirectories(folder);
        Path header = Files.createTempFile(folder, "tasks", ".new");
        try (OpenFile out = OpenFile.open(header, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(MAGIC), 0);
            out.write(entry(ByteBuffer.wrap(SpecCodec.encode(spec))), MAGIC.length);
            out.force();
        }
        AtomicRename.replacing(header, file);
        DirectorySync.force(folder);
    }

    private int checkMagic(long size) throws IOException {
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(size, MAGIC.length));
        bytes.read(start, 0);
        if (!ByteBuffer.wrap(MAGIC).equals(start.flip())) {
            throw new DamagedJournalException(
                    file + ": no journal of tasks: expected the bytes " + hex(MAGIC) + " at offset 0, found "
                            + (size == 0 ? "an empty file" : hex(start.array())),
                    "",
                    null);
        }
        return MAGIC.length;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private void checkSpec(JournalReader reader, LedgerSpec here) throws IOException {
        ByteBuffer payload = reader.next();
        if (payload == null) {
            throw new DamagedJournalException(
                    file + ": expected the description of the training at offset " + reader.position()
                            + ", found a damaged or unfinished one",
                    "",
                    null);
        }
        LedgerSpec there;
        try {
            there = SpecCodec.decode(payload);
        } catch (IllegalArgumentException e) {
            throw new DamagedJournalException(
                    file + ": the description of the training at offset " + MAGIC.length + " cannot be read: expected "
                            + e.getMessage(),
                    "",
                    e);
        }
        if (!there.equals(here)) {
            throw new DamagedJournalException(
                    file + ": was written for another training: " + SpecCodec.differences(there, here),
                    ". Use another file for this training, or delete this one",
                    null);
        }
    }

    /** Returns the length of an unfinished last entry that was cut off on open; 0 if the file ended cleanly. */
    public long tornBytes() {
        return tornBytes;
    }

    /** Returns the number of events in the file. */
    public long entries() {
        return entries;
    }

    /**
     * Returns the events in the file, in order. They are read during iteration, not held in memory.
     *
     * <p>Iteration throws {@link UncheckedIOException} if the file cannot be read.
     */
    public Iterable<LedgerEvent> events() {
        long until = end;
        return () -> new Events(new JournalReader(file, bytes, firstEvent, until));
    }

    /**
     * Appends an event.
     *
     * @throws UncheckedIOException if the event cannot be written, or a sync of earlier events failed. The file then
     *     ends after the previous event and accepts no more, because the state of the disk is unknown after a failed
     *     write. Every later call names the first cause
     */
    @Override
    public void accept(LedgerEvent event) {
        IOException first = failure;
        if (first != null) {
            throw new UncheckedIOException(new IOException(
                    file + ": nothing more can be appended, because an earlier write failed at offset " + end + ": "
                            + first.getMessage(),
                    first));
        }
        IOException unsynced = group == null ? null : group.failure();
        if (unsynced != null) {
            throw new UncheckedIOException(new IOException(
                    file + ": nothing more can be appended, because earlier events cannot be synced to disk: "
                            + unsynced.getMessage(),
                    unsynced));
        }
        codec.encode(event, encoder.clear());
        ByteBuffer entry = entry(encoder.written());
        int length = entry.remaining();
        try {
            bytes.write(entry, end);
            if (durability == Durability.MACHINE) {
                bytes.sync();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    file + ": cannot append at offset " + end + ": " + e.getMessage(), withdraw(e));
        }
        end += length;
        entries++;
        if (group != null) {
            group.written();
        }
    }

    /**
     * Removes a partly written entry, and makes the journal reject further events. Returns {@code cause}, to which it
     * adds a failure of the removal.
     */
    private IOException withdraw(IOException cause) {
        failure = cause;
        try {
            bytes.truncate(end);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return cause;
    }

    private static ByteBuffer entry(ByteBuffer payload) {
        int length = payload.remaining();
        ByteBuffer entry = ByteBuffer.allocate(JournalReader.ENTRY_HEADER + length);
        entry.putInt(length);
        entry.putInt(JournalReader.crc(entry.slice(0, 4)));
        entry.putInt(JournalReader.crc(payload.duplicate()));
        return entry.put(payload).flip();
    }

    /** Syncs all events to disk. */
    public void force() throws IOException {
        bytes.sync();
    }

    /**
     * Syncs all events to disk and closes the file. A second call does nothing.
     *
     * @throws IOException also if a sync of earlier events failed
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (bytes) {
            if (group != null) {
                group.close();
            }
            bytes.sync();
        }
        IOException unsynced = group == null ? null : group.failure();
        if (unsynced != null) {
            throw new IOException(file + ": events cannot be synced to disk: " + unsynced.getMessage(), unsynced);
        }
    }

    /** Returns text for people, for example {@code run/tasks.journal: 1,204 events, 24,310 bytes}. */
    @Override
    public String toString() {
        return file + ": " + CountText.count(entries, "event") + ", " + CountText.count(end, "byte");
    }

    private final class Events implements Iterator<LedgerEvent> {
        private final JournalReader reader;
        private long offset;
        private @Nullable ByteBuffer payload;

        private Events(JournalReader reader) {
            this.reader = reader;
            advance();
        }

        private void advance() {
            offset = reader.position();
            try {
                payload = reader.next();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean hasNext() {
            return payload != null;
        }

        @Override
        public LedgerEvent next() {
            ByteBuffer bytes = payload;
            if (bytes == null) {
                throw new NoSuchElementException("the journal has no more events");
            }
            LedgerEvent event;
            try {
                event = codec.decode(bytes);
            } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
                throw new UncheckedIOException(new DamagedJournalException(
                        file + ": the entry at offset " + offset + " cannot be read: expected " + e.getMessage(),
                        "",
                        e));
            }
            advance();
            return event;
        }
    }
}
