package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlTest {
    private static final String HOSTILE = "<img src=x onerror=\"alert('1')\">&amp;";
    private static final String HARMLESS = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;";

    @Test
    void a_text_brings_no_markup_of_its_own() {
        assertThat(Html.escaped(HOSTILE)).isEqualTo(HARMLESS);
    }

    @Test
    void every_piece_escapes_its_texts() {
        List<String> row = List.of(HOSTILE, HOSTILE);
        String all = Html.of(
                        Html.title(HOSTILE),
                        Html.line(HOSTILE),
                        Html.pre(HOSTILE),
                        Html.table(row, List.of(row)),
                        Html.pairs(List.of(row)),
                        Html.image(new Svg(1, 1, HOSTILE)))
                .toString();

        assertThat(all).doesNotContain("<img src=x").doesNotContain("alert('1')");
        assertThat(all.split(Pattern.quote(HARMLESS), -1)).hasSize(11);
    }

    @Test
    void a_picture_escapes_its_texts() {
        Svg svg = new Svg(1, 1, HOSTILE);
        svg.text(0, 0, Svg.Anchor.START, HOSTILE);

        assertThat(svg.toString()).contains(">" + HARMLESS + "</title>", ">" + HARMLESS + "</text>");
        assertThat(svg.toString()).doesNotContain("<img");
    }

    @Test
    void what_has_no_place_in_a_page_is_replaced() {
        assertThat(Html.escaped("a\u0000b\u001bc\ud800d\u202Ee\u2066f\uFFFEg"))
                .isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf\uFFFDg");
    }

    @Test
    void letters_of_all_languages_and_ends_of_lines_stay() {
        assertThat(Html.escaped("Größe\n模型\tنموذج 🙂")).isEqualTo("Größe\n模型\tنموذج 🙂");
    }

    @Test
    void a_table_without_rows_is_nothing() {
        assertThat(Html.table(List.of("name"), List.of()).toString()).isEmpty();
    }
}
