package dev.edl.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code >} stands for a tab, {@code /} for a line break. */
class YamlTabsTest {
    private static String replaced(String text) {
        return YamlTabs.replaced(text.replace('>', '\t').replace('/', '\n'))
                .replace('\t', '>')
                .replace('\n', '/');
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " becomes ",
            quoteCharacter = '`',
            value = {
                "a:>1 becomes a: 1",
                "a>:>1>#>b becomes a : 1 #>b",
                "- a:>1 becomes - a: 1",
                "-> a becomes -> a",
                "--->#>b/a:>1 becomes --- #>b/a: 1",
                "%YAML>1.2/--- becomes %YAML 1.2/---",
                "a:>&x>b becomes a: &x b",
                "{/>`a`:>[1,/>>2/>]/>} becomes {/ `a`: [1,/  2/ ]/ }",
                "a: [1/,>2]/b:>3 becomes a: [1/, 2]/b: 3",
                "a: b>c>#d/e:>f becomes a: b>c #d/e: f",
                "a: b>/  >c/d:>e becomes a: b /   c/d: e",
                "a: 'b>''>c'>#>d/e: \"f>\\\">g\">/h: it's>i becomes a: 'b>''>c' #>d/e: \"f>\\\">g\" /h: it's>i",
                "a: \"b\\>c\" becomes a: \"b\\tc\"",
                "a: |>#>c/ b:>1/  >d/c:>1 becomes a: | #>c/ b:>1/  >d/c: 1",
                "- - a: |/     >b/    c:>d/e:>1 becomes - - a: |/     >b/    c:>d/e:>1",
                "- a: |2/    >b/  c:>1 becomes - a: |2/    >b/  c: 1",
                "a:/>b:>1 becomes a:/>b:>1",
                "a: 1/>/b:>1 becomes a: 1/>/b:>1",
            })
    void a_tab_that_separates_tokens_is_a_blank(String text, String expected) {
        assertThat(replaced(text.replace('`', '"'))).isEqualTo(expected.replace('`', '"'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\t",
                "\"\\",
                "'\t",
                "\"\t\\",
                "a: |\t",
                "a: >2\t\n",
                "]\t}",
                "[\t",
                "%\t",
                "?\t",
                ":\t",
                "a\t:",
                "\r\t\n"
            })
    void a_text_that_is_no_yaml_keeps_its_length(String text) {
        assertThat(YamlTabs.replaced(text)).hasSameSizeAs(text);
    }

    // YAML 1.2.2, 9.1; go-yaml accepts the mark at the beginning of each line outside of scalars.
    @ParameterizedTest
    @CsvSource(
            delimiterString = " becomes ",
            value = {
                "BOMa: 1 becomes a: 1",
                "BOM>a becomes >a",
                "a: 1/---/BOMb: 2 becomes a: 1/---/b: 2",
                "a: 1/BOM---/b:>2 becomes a: 1/---/b: 2",
                "a: 1/.../BOM# c/BOM%YAML 1.2/--- becomes a: 1/.../# c/%YAML 1.2/---",
                "a: |/  b/BOM---/c: 1 becomes a: |/  b/---/c: 1",
                "a: BOMb becomes a: BOMb",
                "a: \"b/BOMc\" becomes a: \"b/BOMc\"",
                "a: |/  BOMb becomes a: |/  BOMb",
            })
    void a_byte_order_mark_at_the_beginning_of_a_line_is_dropped(String text, String expected) {
        assertThat(replaced(text.replace("BOM", "\ufeff"))).isEqualTo(expected.replace("BOM", "\ufeff"));
    }

    @Test
    void a_text_without_tabs_is_the_same() {
        String text = "a: 1\n";

        assertThat(YamlTabs.replaced(text)).isSameAs(text);
    }
}
