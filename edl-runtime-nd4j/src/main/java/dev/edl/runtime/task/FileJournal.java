package dev.edl.runtime.task;

import dev.edl.runtime.internal.files.AtomicRename;
import dev.edl.runtime.internal.files.OpenFile;
import dev.edl.runtime.task.internal.CountText;
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
 * The events of a ledger in a file, appended one by one; what a new master needs to go on.
 *
 * <pre>{@code
 * try (FileJournal journal = FileJournal.open(folder.resolve("tasks.journal"), spec)) {
 *     TaskLedger ledger = TaskLedger.replay(spec, journal.events(), journal);
 *     ...
 * }
 * }</pre>
 *
 * <p>What an event survives once {@link #accept} has returned is said by the {@link Durability} that the journal is opened
 * with; with {@link Durability#PROCESS}, the usual one, it is in the hands of the operating system. What is lost are the
 * last events, and task ids in them are given out again: so take no less than what the workers survive.
 *
 * <p>The file: the 8 bytes {@code EDLTASK1}; then entries as {@link JournalReader} describes, the first holding the
 * spec, each other one an event. One process at a time holds it. Not safe for several threads;
 * that the calling thread was interrupted makes no difference.
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

    /** Opens a journal for reading and appending, whose events survive the end of the process. */
    public static FileJournal open(Path file, LedgerSpec spec) throws IOException {
        return open(file, spec, Durability.PROCESS);
    }

    /**
     * Opens a journal for reading and appending, and creates it (with its folders) when there is none. All entries are
     * checked; a last one that a crash left unfinished is cut off, see {@link #tornBytes()}.
     *
     * @param durability what an event survives once it has been appended; not {@link Durability#GROUP}, which needs a timer
     * @throws IOException when the file cannot be used: it is no journal, or damaged (the message names file, offset,
     *     expected and found), or of another spec (it says what differs), or another process has it open
     */
    public static FileJournal open(Path file, LedgerSpec spec, Durability durability) throws IOException {
        if (durability == Durability.GROUP) {
            throw new IllegalArgumentException(
                    file + ": Durability.GROUP needs a timer; open(file, spec, timer) takes one");
        }
        return open(file, spec, durability, null);
    }

    /**
     * Opens a journal with {@link Durability#GROUP}, and creates it as {@link #open(Path, LedgerSpec, Durability)} does. A sync
     * that fails is reported by the next {@link #accept}, or by {@link #close}.
     *
     * @param timer runs the syncs, at most one each 50 ms
     * @throws IOException as there
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

    /** Writes the header beside the file and moves it there, so that no crash leaves half a header. */
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
    }

    private int checkMagic(long size) throws IOException {
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(size, MAGIC.length));
        bytes.read(start, 0);
        if (!ByteBuffer.wrap(MAGIC).equals(start.flip())) {
            throw new IOException(file + ": no journal of tasks: expected the bytes " + hex(MAGIC)
                    + " at offset 0, found " + (size == 0 ? "an empty file" : hex(start.array())));
        }
        return MAGIC.length;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private void checkSpec(JournalReader reader, LedgerSpec here) throws IOException {
        ByteBuffer payload = reader.next();
        if (payload == null) {
            throw new IOException(file + ": expected the description of the training at offset " + reader.position()
                    + ", found a damaged or unfinished one");
        }
        LedgerSpec there;
        try {
            there = SpecCodec.decode(payload);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    file + ": the description of the training at offset " + MAGIC.length + " cannot be read: expected "
                            + e.getMessage(),
                    e);
        }
        if (!there.equals(here)) {
            throw new IOException(file + ": was written for another training: " + SpecCodec.differences(there, here)
                    + ". Use another file for this training, or delete this one");
        }
    }

    /** Bytes of an unfinished last entry that were cut off when the journal was opened; 0 when it ended cleanly. */
    public long tornBytes() {
        return tornBytes;
    }

    /** Events in the file. */
    public long entries() {
        return entries;
    }

    /**
     * The events in the file now, in their order; read while they are iterated, not held in memory.
     *
     * <p>Iteration throws {@link UncheckedIOException} when the file cannot be read.
     */
    public Iterable<LedgerEvent> events() {
        long until = end;
        return () -> new Events(new JournalReader(file, bytes, firstEvent, until));
    }

    /**
     * Appends an event.
     *
     * @throws UncheckedIOException when it cannot be written; the file then ends behind the event before, and takes no
     *     more: after a failed write it is not known what the disk has. Every later call names the first cause. Also when a
     *     sync of earlier events failed
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
                    file + ": nothing more can be appended, because earlier events cannot be put on the disk: "
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

    /** Half an entry must not stay: what is opened next would have to guess. */
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

    /** Puts all events on the disk. */
    public void force() throws IOException {
        bytes.sync();
    }

    /**
     * Puts all events on the disk and closes the file; a second call does nothing.
     *
     * @throws IOException also when a sync of earlier events failed
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
            throw new IOException(file + ": events cannot be put on the disk: " + unsynced.getMessage(), unsynced);
        }
    }

    /** For example {@code run/tasks.journal: 1,204 events, 24,310 bytes}. */
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
                throw new UncheckedIOException(new IOException(
                        file + ": the entry at offset " + offset + " cannot be read: expected " + e.getMessage(), e));
            }
            advance();
            return event;
        }
    }
}
