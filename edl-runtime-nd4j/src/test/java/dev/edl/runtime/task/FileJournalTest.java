package dev.edl.runtime.task;

import static dev.edl.runtime.task.Ledgers.T0;
import static dev.edl.runtime.task.Ledgers.drain;
import static dev.edl.runtime.task.Ledgers.lease;
import static dev.edl.runtime.task.Ledgers.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.internal.JournalFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
    /** Each LateReport of a small id is an entry of 12 + 2 bytes. */
    private static final int SMALL_ENTRY = 14;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("run/tasks.journal");
    }

    @Test
    void a_training_goes_on_where_the_last_master_stopped() throws IOException {
        LedgerSpec spec = spec().epochs(2).build();
        Task task;
        try (FileJournal journal = FileJournal.open(file, spec)) {
            TaskLedger ledger = TaskLedger.replay(spec, journal.events(), journal);
            ledger.complete(lease(ledger, "w0"), T0);
            task = lease(ledger, "w0");
        }

        try (FileJournal journal = FileJournal.open(file, spec, Durability.MACHINE)) {
            TaskLedger ledger = TaskLedger.replay(spec, journal.events(), journal);
            assertThat(ledger.complete(task, T0).accepted()).isTrue();
            drain(ledger, "w1");
            assertThat(journal.tornBytes()).isZero();
        }

        try (FileJournal journal = FileJournal.open(file, spec)) {
            assertThat(ProofFold.of(spec, journal.events()).holds()).isTrue();
            // 2 EpochStarted, 8 Leased, 8 Completed.
            assertThat(journal.entries()).isEqualTo(18);
            assertThat(journal).hasToString(file + ": 18 events, " + grouped(Files.size(file)) + " bytes");
        }
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    @Test
    void events_larger_than_a_block_can_be_read_repeatedly() throws IOException {
        Task task = new Task(1, TaskType.TRAINING, 0, -1, "a", 0, 4, 2, 0, 7, 0);
        List<LedgerEvent> events = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            events.add(new LateReport(i));
            if (i % 5_000 == 0) {
                events.add(new Failed(task, "x".repeat(100_000 + i)));
            }
        }
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            events.forEach(journal);
            journal.force();
            assertThat(journal.events()).containsExactlyElementsOf(events);
        }
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThat(journal.events()).containsExactlyElementsOf(events);
            assertThat(journal.events()).hasSize(events.size());
        }
    }

    @Test
    void a_tail_cut_at_any_byte_is_cut_off_and_reported() throws IOException {
        long header = writeReports(0);
        writeReports(3);
        byte[] whole = Files.readAllBytes(file);
        for (int length = (int) header; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            int complete = (length - (int) header) / SMALL_ENTRY;
            try (FileJournal journal = FileJournal.open(file, spec().build())) {
                assertThat(journal.entries()).as("cut to %d", length).isEqualTo(complete);
                assertThat(journal.tornBytes())
                        .as("cut to %d", length)
                        .isEqualTo(length - header - (long) complete * SMALL_ENTRY);
                journal.accept(new EpochStarted(0));
            }
            try (FileJournal journal = FileJournal.open(file, spec().build())) {
                assertThat(journal.tornBytes()).isZero();
                assertThat(journal.events()).last().isEqualTo(new EpochStarted(0));
            }
        }
    }

    @Test
    void blocks_that_a_stopped_machine_left_as_zeros_are_cut_off() throws IOException {
        writeReports(2);
        Files.write(file, new byte[5000], StandardOpenOption.APPEND);

        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThat(journal.tornBytes()).isEqualTo(5000);
            assertThat(journal.entries()).isEqualTo(2);
        }
    }

    @Test
    void a_damaged_byte_in_the_middle_is_an_error_wherever_it_is() throws IOException {
        int header = (int) writeReports(0);
        writeReports(3);
        byte[] whole = Files.readAllBytes(file);
        for (int at = header; at < header + 2 * SMALL_ENTRY; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x40;
            Files.write(file, damaged);
            int entry = header + (at - header) / SMALL_ENTRY * SMALL_ENTRY;
            assertThatThrownBy(() -> FileJournal.open(file, spec().build()))
                    .as("byte %d", at)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file + ": the entry at offset " + entry + " is damaged: expected CRC-32C ");
        }
    }

    @Test
    void damage_is_told_with_what_was_expected_and_found() throws IOException {
        int header = (int) writeReports(2);
        byte[] bytes = Files.readAllBytes(file);
        int entry = header - 2 * SMALL_ENTRY;
        // Kind 9, report of task 0 (zigzag 00), made to be a report of task 1 (zigzag 02). CRC-32C of 0900 and 0902
        // from a bitwise implementation in Python.
        bytes[entry + 13] = 2;
        Files.write(file, bytes);

        assertThatThrownBy(() -> FileJournal.open(file, spec().build()))
                .hasMessage(
                        file + ": the entry at offset " + entry
                                + " is damaged: expected CRC-32C 7fd72c1d of the payload, found 9eec5cea; entries follow it, so this"
                                + " is no unfinished write. Restore the file from a copy, or delete it to train from the start");
    }

    @Test
    void a_complete_entry_without_an_event_is_an_error_with_its_offset() throws IOException {
        LedgerSpec wide = spec().evaluation(List.of()).build();
        long header = writeReports(0);
        // An epoch of 2^35-1 in an entry whose checksums are right.
        FileJournalBytes.append(file, "01ffffffff7f");

        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThatThrownBy(() -> TaskLedger.replay(wide, journal.events(), journal))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasRootCauseMessage("a number of at most 2147483647, but it is 34359738367")
                    .cause()
                    .hasMessage(file + ": the entry at offset " + header
                            + " cannot be read: expected a number of at most 2147483647, but it is 34359738367");
        }
    }

    @Test
    void a_journal_of_another_training_is_refused_with_what_differs() throws IOException {
        writeReports(1);

        LedgerSpec other = spec().epochs(30)
                .minibatchSize(32)
                .training(List.of(new DataShard("a", 10), new DataShard("b", 4), new DataShard("c", 1)))
                .build();

        assertThatThrownBy(() -> FileJournal.open(file, other))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": was written for another training: minibatchSize is 2 there, 32 here;"
                        + " epochs is 1 there, 30 here; trainingShards has 2 shards there, 3 here;"
                        + " trainingShards[1] is b with 3 records there, b with 4 records here."
                        + " Use another file for this training, or delete this one");
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThat(journal.entries()).isEqualTo(1);
        }
    }

    @Test
    void a_file_of_another_kind_is_refused_and_not_touched() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "label,x0,x1\n");
        assertThatThrownBy(() -> FileJournal.open(file, spec().build()))
                .hasMessage(file + ": no journal of tasks: expected the bytes 45444c5441534b31 at offset 0,"
                        + " found 6c6162656c2c7830");
        assertThat(file).hasContent("label,x0,x1\n");

        Files.write(file, new byte[0]);
        assertThatThrownBy(() -> FileJournal.open(file, spec().build()))
                .hasMessage(file + ": no journal of tasks: expected the bytes 45444c5441534b31 at offset 0,"
                        + " found an empty file");

        Files.write(file, "EDLTASK1".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> FileJournal.open(file, spec().build()))
                .hasMessage(file + ": expected the description of the training at offset 8,"
                        + " found a damaged or unfinished one");
    }

    @Test
    void one_at_a_time_has_it_open() throws IOException {
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThatThrownBy(() -> FileJournal.open(file, spec().build()))
                    .hasMessage(file + ": the journal is open already in this process");
            journal.accept(new EpochStarted(0));
        }
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThat(journal.entries()).isEqualTo(1);
        }
    }

    @Test
    void buffered_events_are_readable_and_written_on_close() throws IOException {
        List<LedgerEvent> events = new ArrayList<>();
        long before;
        try (FileJournal journal = FileJournal.open(file, spec().build(), Durability.CLOSE)) {
            before = Files.size(file);
            for (int i = 0; i < 100; i++) {
                events.add(new LateReport(i % 10));
                journal.accept(events.get(i));
            }
            assertThat(Files.size(file)).isEqualTo(before);
            assertThat(journal.events()).containsExactlyElementsOf(events);
            assertThat(Files.size(file)).isEqualTo(before + 100 * SMALL_ENTRY);
            // More than fits in memory.
            for (int i = 0; i < 3000; i++) {
                events.add(new LateReport(i % 10));
                journal.accept(new LateReport(i % 10));
            }
            assertThat(Files.size(file))
                    .isGreaterThan(before + 100 * SMALL_ENTRY)
                    .isLessThan(before + 3100 * SMALL_ENTRY);
            events.add(new LateReport(7));
            journal.accept(new LateReport(7));
        }
        assertThat(Files.size(file)).isEqualTo(before + 3101 * SMALL_ENTRY);
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThat(journal.tornBytes()).isZero();
            assertThat(journal.events()).containsExactlyElementsOf(events);
        }
        FileJournal closed = FileJournal.open(file, spec().build(), Durability.CLOSE);
        closed.close();
        assertThatThrownBy(() -> closed.accept(new LateReport(1)))
                .hasMessage(file + ": cannot append at offset " + Files.size(file) + ": Stream Closed");
    }

    @Test
    void what_cannot_be_written_is_an_error_and_the_last_one_accepted() throws IOException {
        FileJournal journal = FileJournal.open(file, spec().build());
        journal.close();
        journal.close();

        assertThatThrownBy(() -> journal.accept(new EpochStarted(0)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(file + ": cannot append at offset " + Files.size(file) + ": Stream Closed");
        assertThatThrownBy(() -> journal.accept(new EpochStarted(0)))
                .cause()
                .hasMessage(file + ": nothing more can be appended, because an earlier write failed at offset "
                        + Files.size(file) + ": Stream Closed");
    }

    @Test
    void an_interrupted_thread_opens_appends_reads_and_closes_as_any_other() throws IOException {
        try {
            Thread.currentThread().interrupt();
            try (FileJournal journal = FileJournal.open(file, spec().build(), Durability.MACHINE)) {
                journal.accept(new EpochStarted(0));
                journal.force();
                assertThat(journal.events()).containsExactly(new EpochStarted(0));
                assertThat(Thread.currentThread().isInterrupted()).isTrue();

                Thread.interrupted();
                journal.accept(new LateReport(1));
                assertThat(journal.events()).containsExactly(new EpochStarted(0), new LateReport(1));
                Thread.currentThread().interrupt();
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThat(journal.entries()).isEqualTo(2);
        }
    }

    @Test
    void a_full_disk_fails_all_later_appends_and_leaves_complete_entries() throws IOException {
        long header = writeReports(0);
        JournalFile full = new JournalFile(file, 0) {
            @Override
            public synchronized void write(ByteBuffer from, long at) throws IOException {
                if (at >= header + SMALL_ENTRY) {
                    super.write(from.slice(0, SMALL_ENTRY / 2), at);
                    throw new IOException("No space left on device");
                }
                super.write(from, at);
            }
        };
        try (FileJournal journal = new FileJournal(file, full, spec().build(), Durability.PROCESS, null)) {
            journal.accept(new LateReport(0));
            assertThatThrownBy(() -> journal.accept(new LateReport(1)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage(
                            file + ": cannot append at offset " + (header + SMALL_ENTRY) + ": No space left on device");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> journal.accept(new LateReport(2)))
                        .hasRootCauseMessage("No space left on device")
                        .cause()
                        .hasMessage(file + ": nothing more can be appended, because an earlier write failed at offset "
                                + (header + SMALL_ENTRY) + ": No space left on device");
            }
        }
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            assertThat(journal.tornBytes()).isZero();
            assertThat(journal.events()).containsExactly(new LateReport(0));
        }
    }

    @Test
    void nothing_but_the_journal_stays_in_the_folder() throws IOException {
        writeReports(1);

        try (var files = Files.list(folder.resolve("run"))) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void a_random_training_survives_restarts_from_the_file_at_any_point() throws IOException {
        for (long seed = 0; seed < 20; seed++) {
            Chaos chaos = new Chaos(seed, false);
            chaos.run(150);
            Path own = folder.resolve("journal-" + seed);
            try (FileJournal journal = FileJournal.open(own, chaos.spec)) {
                chaos.journal.forEach(journal);
            }
            try (FileJournal journal = FileJournal.open(own, chaos.spec)) {
                assertThat(StateImage.of(TaskLedger.replay(chaos.spec, journal.events(), journal)))
                        .as("seed %d", seed)
                        .isEqualTo(StateImage.of(chaos.ledger));
            }
        }
    }

    /** Appends reports of the tasks 0, 1, …; returns the size of the file. */
    private long writeReports(int reports) throws IOException {
        try (FileJournal journal = FileJournal.open(file, spec().build())) {
            for (int i = 0; i < reports; i++) {
                journal.accept(new LateReport(i));
            }
        }
        return Files.size(file);
    }
}
