package dev.edl.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EscapeStyleTest {
    /** Begins with the characters that all styles treat alike, followed by those that they treat differently. */
    private static final String TEXT = "a\"b\\c\nd\te\u0001" + "\r\u007f<>&\u00e9\u65e5\u2028\uff21\ud83d\ude00\ud83d";

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "JSON,       \\u000d\\u007f<>&\u00e9\u65e5\\u2028\\uff21\ud83d\ude00\\ud83d",
                "ASCII_JSON, \\u000d\\u007f<>&\\u00e9\\u65e5\\u2028\\uff21\ud83d\ude00\\ud83d",
                "ASCII_YAML, \\u000d\\u007f<>&\\u00e9\\u65e5\\u2028\\uff21\\U0001f600\\ud83d",
                "GO,         \\r\u007f\\u003c\\u003e\\u0026\u00e9\u65e5\\u2028\uff21\ud83d\ude00\\ud83d"
            })
    void a_text_is_quoted_by_its_form(EscapeStyle quotes, String rest) {
        assertThat(quotes.quote(TEXT)).isEqualTo("\"a\\\"b\\\\c\\nd\\te\\u0001" + rest + "\"");
    }
}
