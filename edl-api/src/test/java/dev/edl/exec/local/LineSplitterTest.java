package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineSplitterTest {
    private final List<String> lines = new ArrayList<>();
    private final LineSplitter splitter = new LineSplitter(lines::add);

    private List<String> of(byte... bytes) {
        splitter.add(bytes, 0, bytes.length);
        splitter.end();
        return lines;
    }

    private List<String> of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void lines_end_at_lf_or_crlf_or_the_end_of_the_stream() {
        assertThat(of("a\nb\r\n\nprogress 1\rprogress 2\nc"))
                .containsExactly("a", "b", "", "progress 1\rprogress 2", "c");
    }

    @Test
    void bytes_that_are_no_utf_8_are_replaced() {
        assertThat(of((byte) 'a', (byte) 0xFF, (byte) 0xC3, (byte) '\n', (byte) 0xC3, (byte) 0xA9))
                .containsExactly("a\uFFFD\uFFFD", "\u00E9");
    }

    @Test
    void a_line_without_an_end_comes_in_pieces_that_split_no_character() {
        String text = "x" + "\u00E9\u20AC".repeat(40_000);

        assertThat(of(text)).hasSize(4).allMatch(piece -> !piece.contains("\uFFFD"));
        assertThat(String.join("", lines)).isEqualTo(text);
        assertThat(lines.get(0).getBytes(StandardCharsets.UTF_8).length).isBetween(65_536, 65_539);
    }

    @Test
    void invalid_utf_8_without_line_ends_needs_bounded_memory() {
        byte[] garbage = new byte[200_000];
        java.util.Arrays.fill(garbage, (byte) 0x80);

        assertThat(of(garbage)).hasSize(4).allMatch(piece -> piece.length() <= 65_539);
    }

    @Test
    void it_does_not_matter_how_the_bytes_arrive() {
        byte[] bytes = ("é\n".repeat(50) + "ab\r\n\n".repeat(50)).getBytes(StandardCharsets.UTF_8);
        List<String> whole = List.copyOf(of(bytes));
        for (long seed = 1; seed <= 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<String> parts = new ArrayList<>();
            LineSplitter again = new LineSplitter(parts::add);
            int at = 0;
            while (at < bytes.length) {
                int to = Math.min(bytes.length, at + 1 + random.nextInt(7));
                again.add(bytes, at, to);
                at = to;
            }
            again.end();
            assertThat(parts).as("seed " + seed).isEqualTo(whole);
        }
    }
}
