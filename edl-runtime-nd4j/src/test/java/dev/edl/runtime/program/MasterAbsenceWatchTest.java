package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.EventHub;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MasterAbsenceWatchTest {
    private static final OptionalLong FIRST = OptionalLong.of(100);
    private static final OptionalLong SECOND = OptionalLong.of(101);
    private static final OptionalLong NONE = OptionalLong.empty();

    private final MasterAbsenceWatch absence = new MasterAbsenceWatch();
    private final List<String> told = new ArrayList<>();
    private final List<Duration> overdue = new ArrayList<>();
    private long seconds;
    private long signs;

    /** Looks once a second for some seconds; a master that is alive gives a sign before each look. */
    private void pass(int length, OptionalLong process, boolean alive) {
        for (int each = 0; each < length; each++) {
            signs += alive ? 1 : 0;
            seconds++;
            Optional<FileTime> modified =
                    signs == 0 ? Optional.empty() : Optional.of(FileTime.from(Instant.ofEpochSecond(signs)));
            for (TrainingEvent event :
                    absence.poll(process, modified, Duration.ofSeconds(seconds).toNanos())) {
                told.add(event.toString());
                if (event instanceof TrainingEvent.ReplicaAbsent absent && absent.overdue()) {
                    overdue.add(absent.since());
                }
            }
        }
    }

    @Test
    void a_master_that_reads_its_data_for_the_first_time_is_not_absent() {
        pass(600, FIRST, false);
        pass(60, FIRST, true);

        assertThat(told).isEmpty();
    }

    @Test
    void a_stopped_master_is_reported_and_is_overdue_after_a_quarter_of_the_timeout() {
        pass(5, FIRST, true);
        pass(161, FIRST, false);

        assertThat(told)
                .startsWith(
                        "master is absent for 10s; servers and workers wait for it",
                        "master is absent for 20s; servers and workers wait for it")
                .hasSize(6);
        assertThat(overdue).containsExactly(Duration.ofSeconds(150), Duration.ofSeconds(160));
    }

    @Test
    void a_killed_master_is_reported_until_its_successor_gives_a_sign() {
        pass(5, FIRST, true);
        pass(8, NONE, false);
        pass(300, SECOND, false);
        pass(5, SECOND, true);

        assertThat(told)
                .startsWith("master is absent for 10s; servers and workers wait for it")
                .endsWith("master has returned after 5m8s");
        // It may read a large checkpoint.
        assertThat(overdue).isEmpty();
    }

    @Test
    void a_short_absence_is_not_reported() {
        pass(5, FIRST, true);
        pass(4, NONE, false);
        pass(4, SECOND, false);
        pass(5, SECOND, true);

        assertThat(told).isEmpty();
    }

    @Test
    void a_sign_of_life_is_the_modification_time_of_the_event_file(@TempDir Path folder) throws Exception {
        Path file = SubmitterEventWriter.file(folder, "run");
        try (EventHub hub = new EventHub("unit", List.of());
                SubmitterEventWriter master =
                        SubmitterEventWriter.of(Map.of(SubmitterEventWriter.VARIABLE, folder.toString()), "run")) {
            FileTime old = FileTime.from(Instant.ofEpochSecond(1));
            Files.setLastModifiedTime(file, old);
            long size = Files.size(file);

            master.alive();

            assertThat(new EventTail(file, hub).modified())
                    .hasValueSatisfying(sign -> assertThat(sign).isGreaterThan(old));
            assertThat(file).hasSize(size);
        }
    }
}
