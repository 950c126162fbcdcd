package dev.edl.runtime.ps.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FenceTest {
    private final Fence fence = new Fence("ps-1");

    @Test
    void a_shard_follows_the_highest_term_and_refuses_lower_ones() {
        fence.require(new Term(1, "a"));
        fence.require(new Term(3, "b"));
        fence.require(new Term(3, "b"));

        assertThatThrownBy(() -> fence.require(new Term(2, "c")))
                .isInstanceOf(StaleTermException.class)
                .hasMessage("parameter shard ps-1 follows term 3 of b and refuses a request of term 2 of c");
        assertThat(fence.term()).isEqualTo(3);
        assertThat(fence).hasToString("ps-1 follows term 3 of b");
    }

    @Test
    void shard_follows_the_first_of_two_masters_with_equal_terms() {
        fence.require(new Term(2, "a"));

        assertThatThrownBy(() -> fence.require(new Term(2, "b")))
                .hasMessage("parameter shard ps-1 follows term 2 of a and refuses a request of term 2 of b");
        fence.require(new Term(2, "a"));
    }

    @Test
    void shard_without_a_term_follows_the_first_one() {
        assertThat(fence.term()).isZero();
        assertThat(fence).hasToString("ps-1 follows no master");
        fence.require(new Term(7, "a"));
        assertThat(fence.term()).isEqualTo(7);
    }

    @Test
    void a_term_needs_a_number_and_a_master() {
        assertThatThrownBy(() -> new Term(0, "a"))
                .hasMessage("a term needs a number of at least 1 and the id of its master, was 0 of \"a\"");
        assertThatThrownBy(() -> new Term(1, ""))
                .hasMessage("a term needs a number of at least 1 and the id of its master, was 1 of \"\"");
    }
}
