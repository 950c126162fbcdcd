package dev.edl.runtime.task.journal;

import static dev.edl.runtime.task.Ledgers.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal on a counting file, whose timer the test runs. */
class GroupSyncTest {
    @TempDir
    private Path folder;

    private final List<Duration> delays = new ArrayList<>();
    private final List<Runnable> due = new ArrayList<>();
    private final SyncTimer timer = (delay, sync) -> {
        delays.add(delay);
        due.add(sync);
    };
    private Path file;
    private Counting bytes;
    private FileJournal journal;

    /** Counts writes and syncs. */
    private static final class Counting extends JournalFile {
        private int writes;
        private int syncs;
        private @Nullable IOException failure;
        private @Nullable CountDownLatch forcing;
        private @Nullable CountDownLatch go;

        Counting(Path file) throws IOException {
            super(file, 0);
        }

        @Override
        public synchronized void write(ByteBuffer from, long at) throws IOException {
            writes++;
            super.write(from, at);
        }

        @Override
        protected void force() throws IOException {
            syncs++;
            IOException fails = failure;
            if (fails != null) {
                failure = null;
                throw fails;
            }
            if (forcing != null && go != null) {
                forcing.countDown();
                Waits.on(go);
            }
            super.force();
        }
    }

    @BeforeEach
    void open() throws IOException {
        file = folder.resolve("tasks.journal");
        FileJournal.open(file, spec().build()).close();
        bytes = new Counting(file);
        journal = new FileJournal(file, bytes, spec().build(), Durability.GROUP, timer);
    }

    @AfterEach
    void close() throws IOException {
        journal.close();
    }

    private void elapse() {
        List<Runnable> now = List.copyOf(due);
        due.clear();
        now.forEach(Runnable::run);
    }

    @Test
    void events_of_an_interval_share_a_sync_and_each_is_one_write() {
        for (int i = 0; i < 3; i++) {
            journal.accept(new LateReport(i));
        }
        assertThat(delays).containsExactly(Duration.ofMillis(50));
        assertThat(bytes.writes).isEqualTo(3);
        assertThat(bytes.syncs).isZero();

        elapse();
        assertThat(bytes.syncs).isEqualTo(1);
        assertThat(due).isEmpty();

        journal.accept(new LateReport(3));
        elapse();
        assertThat(delays).hasSize(2);
        assertThat(bytes.syncs).isEqualTo(2);
    }

    @Test
    void an_append_does_not_wait_for_a_running_sync() throws Exception {
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        bytes.forcing = forcing;
        bytes.go = go;
        journal.accept(new LateReport(0));
        CompletableFuture<Void> sync = CompletableFuture.runAsync(this::elapse, Waits.THREADS);
        Waits.on(forcing);
        try {
            CompletableFuture.runAsync(() -> journal.accept(new LateReport(1)), Waits.THREADS)
                    .get(30, TimeUnit.SECONDS);
            assertThat(sync).isNotDone();
            assertThat(due).hasSize(1);
        } finally {
            go.countDown();
        }
        sync.get(30, TimeUnit.SECONDS);
        elapse();
        assertThat(bytes.syncs).isEqualTo(2);
        assertThat(journal.events()).containsExactly(new LateReport(0), new LateReport(1));
    }

    @Test
    void the_next_append_and_the_close_report_a_failed_sync() {
        journal.accept(new LateReport(0));
        bytes.failure = new IOException("Input/output error");
        elapse();

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> journal.accept(new LateReport(1)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasRootCauseMessage("Input/output error")
                    .cause()
                    .hasMessage(
                            file + ": nothing more can be appended, because earlier events cannot be synced to disk:"
                                    + " Input/output error");
        }
        // A second sync of the file succeeds, even if the first has lost data.
        assertThatThrownBy(() -> journal.close())
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": events cannot be synced to disk: Input/output error");
    }

    @Test
    void a_sync_behind_the_close_does_nothing() throws IOException {
        journal.accept(new LateReport(0));
        journal.close();
        assertThat(bytes.syncs).isEqualTo(1);
        elapse();
        assertThat(bytes.syncs).isEqualTo(1);
        try (FileJournal next = FileJournal.open(file, spec().build())) {
            assertThat(next.events()).containsExactly(new LateReport(0));
        }
    }

    @Test
    void a_journal_without_a_timer_cannot_sync_in_groups() {
        assertThatThrownBy(() -> FileJournal.open(file, spec().build(), Durability.GROUP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ": Durability.GROUP needs a timer; open(file, spec, timer) takes one");
    }
}
