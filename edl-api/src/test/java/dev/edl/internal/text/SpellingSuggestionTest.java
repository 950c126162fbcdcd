package dev.edl.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingSuggestionTest {
    private static final List<String> KNOWN = List.of("replicas", "requests", "limits", "relaunchLimit", "elastic");

    @Test
    void two_swapped_letters_are_one_edit() {
        assertThat(SpellingSuggestion.to("replicsa", KNOWN)).contains("replicas");
        assertThat(SpellingSuggestion.to("ab", List.of("ba"))).isEmpty();
        assertThat(SpellingSuggestion.to("abc", List.of("bac"))).contains("bac");
    }

    @Test
    void case_dashes_and_underscores_do_not_count() {
        assertThat(SpellingSuggestion.to("relaunch_limit", KNOWN)).contains("relaunchLimit");
        assertThat(SpellingSuggestion.to("--Elastic", KNOWN)).contains("elastic");
    }

    @Test
    void a_word_a_third_away_is_near_and_one_further_is_not() {
        // six letters: two edits are near, three are not
        assertThat(SpellingSuggestion.to("limxxs", KNOWN)).contains("limits");
        assertThat(SpellingSuggestion.to("lixxxs", KNOWN)).isEmpty();
    }

    @Test
    void the_first_of_equally_near_words_wins() {
        assertThat(SpellingSuggestion.to("cat", List.of("bat", "rat"))).contains("bat");
    }

    @Test
    void a_hint_names_the_nearest_word_or_all_known_ones() {
        assertThat(SpellingSuggestion.hint("replicsa", KNOWN)).isEqualTo("did you mean \"replicas\"?");
        assertThat(SpellingSuggestion.hint("colour", List.of("cpu", "memory"))).isEqualTo("known are cpu, memory");
    }
}
