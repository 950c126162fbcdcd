package dev.edl.k8s.internal.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.internal.logs.LogLineReader.LineFragment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogLineReaderTest {
    private static final String STAMP = "2026-01-31T12:00:00.000000007Z ";
    private static final Optional<Instant> TIME = Optional.of(Instant.parse("2026-01-31T12:00:00.000000007Z"));

    private static List<LineFragment> pieces(String log) throws IOException {
        LogLineReader from = new LogLineReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
        List<LineFragment> all = new ArrayList<>();
        for (Optional<LineFragment> next = from.next(); next.isPresent(); next = from.next()) {
            all.add(next.get());
        }
        return all;
    }

    @Test
    void a_line_has_its_time_and_its_text() throws IOException {
        assertThat(pieces(STAMP + "step 1\n" + STAMP + "\n" + STAMP + "ü\r\n"))
                .containsExactly(
                        new LineFragment(TIME, "step 1", false, false),
                        new LineFragment(TIME, "", false, false),
                        new LineFragment(TIME, "ü", false, false));
    }

    @Test
    void a_time_of_another_zone_is_the_same_time() throws IOException {
        assertThat(pieces("2026-01-31T13:00:00.000000007+01:00 a\n"))
                .containsExactly(new LineFragment(TIME, "a", false, false));
    }

    @Test
    void lines_of_the_kubelet_have_no_time() throws IOException {
        assertThat(pieces("failed to try resolving symlinks\n"))
                .containsExactly(new LineFragment(Optional.empty(), "failed to try resolving symlinks", false, true));
    }

    @Test
    void a_line_that_the_end_cuts_is_marked() throws IOException {
        assertThat(pieces(STAMP + "a\n" + STAMP + "b"))
                .containsExactly(new LineFragment(TIME, "a", false, false), new LineFragment(TIME, "b", true, false));
    }

    @Test
    void a_line_above_64_KiB_comes_in_pieces_that_end_between_characters() throws IOException {
        String long1 = "x".repeat(65_536 - STAMP.length() - 1) + "ü" + "y".repeat(10);

        assertThat(pieces(STAMP + long1 + "\n"))
                .containsExactly(
                        new LineFragment(TIME, "x".repeat(65_536 - STAMP.length() - 1) + "ü", false, false),
                        new LineFragment(Optional.empty(), "y".repeat(10), false, false));
    }
}
