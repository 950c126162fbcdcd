package dev.edl.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShellWordsTest {
    private final List<String> problems = new ArrayList<>();

    private List<String> split(String text) {
        return ShellWords.split(text, Map.of("A", "one two", "B_2", "b"), problems::add);
    }

    @Test
    void words_are_split_as_by_a_shell() {
        // Checked with: printf '<%s>' WORDS, in bash.
        assertThat(split("a  'b c'\t\"d e\" f\\ g h'i'\"j\" '' k\\\nl \\\n m"))
                .containsExactly("a", "b c", "d e", "f g", "hij", "", "kl", "m");
        assertThat(split("\"a\\\"b\\\\c\\d\\$e\" 'a\\b' x#y z~")).containsExactly("a\"b\\c\\d$e", "a\\b", "x#y", "z~");
        assertThat(problems).isEmpty();
    }

    @Test
    void a_variable_is_expanded_to_one_word_except_in_single_quotes() {
        assertThat(split("--x=$A/y \"${B_2}c\" '$A' \\$A")).containsExactly("--x=one two/y", "bc", "$A", "$A");
        assertThat(problems).isEmpty();
    }

    @Test
    void what_is_not_closed_is_a_problem() {
        split("a 'b");
        split("a \"b");
        split("${A");
        split("\"$(a)\"");

        assertThat(problems)
                .containsExactly(
                        "a single quote is not closed: \"'b\"",
                        "a double quote is not closed: \"\"b\"",
                        "only plain variables such as $PROJECT_ID or ${PROJECT_ID} can be read, was \"${A\"",
                        "only plain variables such as $PROJECT_ID or ${PROJECT_ID} can be read, was \"$(a)\"\"");
    }

    @Test
    void blanks_after_a_line_ending_backslash_are_a_separate_problem() {
        assertThat(split("a \\ \n b \\  \t\n c\\ d")).containsExactly("a", "b", "c d");
        assertThat(problems)
                .hasSize(2)
                .containsOnly("a backslash that continues a line must be its last character, was followed by blanks");
    }

    @Test
    void a_word_is_quoted_only_when_the_shell_would_change_it() {
        assertThat(ShellWords.quote("cpu=2,memory=2Gi")).isEqualTo("cpu=2,memory=2Gi");
        assertThat(ShellWords.quote("a b")).isEqualTo("'a b'");
        assertThat(ShellWords.quote("it's")).isEqualTo("'it'\\''s'");
        assertThat(ShellWords.quote("")).isEqualTo("''");
    }
}
