package dev.edl.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.testkit.history.History;
import dev.edl.testkit.history.HistoryChecker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
    /** One event of each kind, with numbers at their limits. */
    private static final List<HistoryEvent> EVENTS = List.of(
            new HistoryEvent.Began(
                    List.of(new ShardRange(0, 0, 3), new ShardRange(1, 3, 0)),
                    2,
                    938,
                    "sgd:learning_rate=0.1",
                    Long.MAX_VALUE,
                    Integer.MAX_VALUE,
                    HistoryDetail.GRADIENTS),
            new HistoryEvent.Started(
                    1,
                    2,
                    127,
                    PushSet.of(LongStream.of(0, 1, 2, 200, 1L << 40)),
                    PushSet.none(),
                    Long.MIN_VALUE,
                    -1,
                    RecordedVector.copyOf(new float[] {-0f, Float.MIN_VALUE})),
            new HistoryEvent.Pulled("wörker", List.of(0L, 128L), List.of(-1L, Long.MAX_VALUE)),
            new HistoryEvent.Sent(
                    "w", 300, List.of(1L, 2L), List.of(3L, 4L), RecordedVector.copyOf(new float[] {1, 2, 3})),
            new HistoryEvent.Sent("w", 300, List.of(1L, 2L), List.of(3L, 4L), null),
            new HistoryEvent.Accepted(0, 1, "w", 300, 1, 2, 3),
            new HistoryEvent.Refused(1, 1, "w", 300, Long.MAX_VALUE, 2, PushResult.Outcome.STALE),
            new HistoryEvent.Updated(0, 1, 3, List.of(300L, 299L), 0.1f, -7),
            new HistoryEvent.Answered(
                    "w",
                    300,
                    List.of(PushResult.Outcome.APPLIED, PushResult.Outcome.STALE),
                    List.of(3L, 2L),
                    PushResult.Outcome.STALE),
            new HistoryEvent.Awaited("w", 300, true),
            new HistoryEvent.Confirmed(296, 301),
            new HistoryEvent.Saved(0, 1, 3, PushSet.range(0, 301), PushSet.range(301, 302), 9),
            new HistoryEvent.Stopped(0, 1),
            new HistoryEvent.TaskCompleted(296, 5),
            new HistoryEvent.Ended(PushSet.range(0, 938), List.of(3L, 2L)));

    @TempDir
    Path folder;

    private Path written() throws IOException {
        return written(folder);
    }

    private static Path written(Path folder) throws IOException {
        Path file = folder.resolve("runs").resolve("a.history");
        try (HistoryWriter writer = new HistoryWriter(file)) {
            EVENTS.forEach(writer);
        }
        return file;
    }

    private static List<HistoryEvent> events(History history) {
        List<HistoryEvent> events = new ArrayList<>();
        history.forEach(events::add);
        return events;
    }

    @Test
    void what_is_written_is_read() throws IOException {
        History history = History.read(written());

        assertThat(events(history)).isEqualTo(EVENTS);
        assertThat(history).hasToString("15 events");
    }

    @Test
    void a_file_system_in_memory_will_do() throws IOException {
        try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
            assertThat(events(History.read(written(memory.getPath("/"))))).isEqualTo(EVENTS);
        }
    }

    @Test
    void complete_events_of_a_truncated_file_are_read() throws IOException {
        byte[] whole = Files.readAllBytes(written());
        Path cut = folder.resolve("cut.history");
        int last = 0;
        for (int length = 8; length < whole.length; length++) {
            Files.write(cut, Arrays.copyOf(whole, length));
            History history = History.read(cut);
            List<HistoryEvent> events = events(history);

            assertThat(events).as("%d bytes", length).isEqualTo(EVENTS.subList(0, events.size()));
            assertThat(events.size()).isGreaterThanOrEqualTo(last);
            last = events.size();
        }
        assertThat(last).isEqualTo(EVENTS.size() - 1);
    }

    @Test
    void what_is_torn_off_is_said() throws IOException {
        byte[] whole = Files.readAllBytes(written());
        Path cut = folder.resolve("cut.history");
        Files.write(cut, Arrays.copyOf(whole, whole.length - 1));
        History history = History.read(cut);

        assertThat(history.count()).isEqualTo(14);
        int from = whole.length - 16;
        assertThat(history)
                .hasToString("14 events; torn: the last 15 bytes, from offset " + from + ", are not a complete event");
    }

    @Test
    void damage_before_the_end_is_refused() throws IOException {
        Path file = written();
        byte[] bytes = Files.readAllBytes(file);
        bytes[8 + 8 + 3] ^= 1;
        Files.write(file, bytes);

        assertThatThrownBy(() -> History.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": the event at offset 8 is damaged: expected CRC-32C ")
                .hasMessageEndingWith("; events follow it, so this is no unfinished write");
    }

    @Test
    void a_full_disk_stops_the_recording_and_close_reports_it() throws IOException {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        Path file = Path.of("a.history");
        HistoryWriter writer = new HistoryWriter(file, full);
        // The buffer takes the first events.
        HistoryEvent large =
                new HistoryEvent.Sent("w", 0, List.of(), List.of(), RecordedVector.over(new float[1 << 14]));
        writer.accept(EVENTS.get(0));
        writer.accept(large);
        writer.accept(large);

        assertThatThrownBy(writer::close)
                .isInstanceOf(IOException.class)
                .hasMessage("a.history: the history is not complete; 1 events were recorded until"
                        + " java.io.IOException: No space left on device");
    }

    @Test
    void another_file_is_refused() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "hello, world");

        assertThatThrownBy(() -> History.read(file))
                .hasMessage(file + ": expected a history, which begins with \"EDLHIST1\"");
    }

    @Test
    void a_history_without_its_first_event_cannot_be_checked() {
        assertThatThrownBy(() -> HistoryChecker.check(History.of(EVENTS.subList(12, 13))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a history must begin with a Began event, was Stopped[shard=0, life=1]");
    }
}
