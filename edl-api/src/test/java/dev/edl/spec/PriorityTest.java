package dev.edl.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PriorityTest {
    // The expected indices are dealt by hand: math.ceil(n * f) in Python, then first, last, second, last but one …
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    10 | 0.5  | 0 1 2 8 9
                    10 | 0.3  | 0 1 9
                    4  | 0.5  | 0 3
                    4  | 0.3  | 0 3
                    5  | 0.5  | 0 1 4
                    1  | 0.01 | 0
                    3  | 1    | 0 1 2
                    3  | 0    | ''
                    100| 0.07 | 0 1 2 3 96 97 98 99
                    """)
    void a_fraction_is_rounded_up_and_dealt_from_both_ends(int replicas, String text, String high) {
        assertThat(high(Priority.parse(text), replicas)).isEqualTo(indices(high));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    10 | high=0.5 | 0 1 2 3 4
                    5  | high=0.5 | 0 1
                    4  | high=0.2 | ''
                    3  | high=1   | 0 1 2
                    """)
    void the_older_fraction_is_rounded_down_and_leads(int replicas, String text, String high) {
        assertThat(high(Priority.parse(text), replicas)).isEqualTo(indices(high));
    }

    @Test
    void a_class_is_the_same_for_all() {
        assertThat(Priority.of("batch.gold").classFor(7, 3)).isEqualTo("batch.gold");
        assertThat(Priority.HIGH.classFor(0, 1)).isEqualTo("high");
    }

    @Test
    void a_replica_beyond_the_start_is_low_under_a_fraction() {
        assertThat(Priority.fraction(1).classFor(4, 4)).isEqualTo("low");
        assertThat(Priority.leading(1).classFor(4, 4)).isEqualTo("low");
    }

    @Test
    void a_negative_index_is_refused() {
        assertThatThrownBy(() -> Priority.LOW.classFor(-1, 4)).hasMessage("index must be at least 0, was -1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"high", "low", "2x", "0.5", "high=0.5", "0.0001", "1", "0"})
    void the_text_reads_back(String text) {
        Priority priority = Priority.parse(text);

        assertThat(priority).hasToString(text);
        assertThat(Priority.parse(priority.toString())).isEqualTo(priority).hasSameHashCodeAs(priority);
    }

    @Test
    void priorities_are_equal_in_any_notation() {
        assertThat(Priority.parse("high")).isEqualTo(Priority.HIGH);
        assertThat(Priority.parse(".5")).isEqualTo(Priority.fraction(0.5));
        assertThat(Priority.parse("high=0.5")).isEqualTo(Priority.leading(0.5)).isNotEqualTo(Priority.fraction(0.5));
        assertThat(Priority.fraction(-0.0)).isEqualTo(Priority.fraction(0)).hasToString("0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "High", "a b", "1.5", "-0.5", "2", "1e-1", "low=0.5", "high=", "high=2", "high=x", "0.5.1"})
    void a_text_outside_the_grammar_is_refused(String text) {
        assertThatThrownBy(() -> Priority.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("priority must be the name of a PriorityClass, a fraction from 0 to 1, or high=<fraction>,"
                        + " was \"" + text + "\"; for example high, 0.5 or high=0.5");
    }

    @Test
    void typed_fractions_have_the_same_rule() {
        assertThatThrownBy(() -> Priority.fraction(1.5)).hasMessageContaining("was \"1.5\"");
        assertThatThrownBy(() -> Priority.leading(Double.NaN)).hasMessageContaining("was \"NaN\"");
        assertThatThrownBy(() -> Priority.of("0.5")).hasMessageContaining("was \"0.5\"");
    }

    private static List<Integer> high(Priority priority, int replicas) {
        return IntStream.range(0, replicas)
                .filter(i -> priority.classFor(i, replicas).equals("high"))
                .boxed()
                .toList();
    }

    private static List<Integer> indices(String text) {
        return text.isEmpty()
                ? List.of()
                : List.of(text.split(" ")).stream().map(Integer::valueOf).toList();
    }
}
