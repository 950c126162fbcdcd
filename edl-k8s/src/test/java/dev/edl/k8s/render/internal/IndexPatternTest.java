package dev.edl.k8s.render.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class IndexPatternTest {
    @Test
    void a_number_that_follows_the_index_is_the_index() {
        assertThat(IndexPattern.of(List.of("w-0:7001", "w-1:7001", "w-12:7001"), List.of(0, 1, 12)))
                .hasValue("w-$(JOB_COMPLETION_INDEX):7001");
    }

    @Test
    void a_number_that_is_the_same_everywhere_is_not() {
        assertThat(IndexPattern.of(List.of("0/0", "0/1"), List.of(0, 1))).hasValue("0/$(JOB_COMPLETION_INDEX)");
    }

    @Test
    void a_rank_that_is_one_above_the_index_cannot_be_written() {
        assertThat(IndexPattern.of(List.of("1", "2"), List.of(0, 1))).isEmpty();
    }

    @Test
    void texts_of_another_form_cannot_be_written() {
        assertThat(IndexPattern.of(List.of("0", "1,1"), List.of(0, 1))).isEmpty();
        assertThat(IndexPattern.of(List.of("a0", "b1"), List.of(0, 1))).isEmpty();
    }

    @Test
    void a_dollar_before_the_index_stays_a_dollar() {
        assertThat(IndexPattern.of(List.of("$0", "$1"), List.of(0, 1))).hasValue("$$$(JOB_COMPLETION_INDEX)");
    }

    @Test
    void text_that_kubernetes_would_expand_is_escaped() {
        assertThat(IndexPattern.of(List.of("$(HOME) $$", "$(HOME) $$"), List.of(0, 1)))
                .hasValue("$$(HOME) $$$$");
        assertThat(DollarEscape.of("costs $5")).isEqualTo("costs $5");
    }
}
