package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.testkit.Golden;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares HTML with approved files: the page, and its picture as SVG. */
final class Pages {
    private static final Pattern PICTURE = Pattern.compile("data:image/svg\\+xml;base64,([A-Za-z0-9+/=]+)");

    /** Markup that notebooks' sanitisers keep and that cannot run code. */
    private static final Pattern HARMLESS =
            Pattern.compile("</?(p|b|pre|progress|table|thead|tbody|tr|th|td|br|img)( [^<>]*)?>");

    private Pages() {}

    static void check(String name, String html) {
        assertThat(HARMLESS.matcher(html).replaceAll("")).doesNotContain("<", ">");
        Golden.named("pages/" + name + ".html")
                .check("page " + name, PICTURE.matcher(html).replaceAll("(" + name + ".svg)"));
        Matcher picture = PICTURE.matcher(html);
        if (picture.find()) {
            Golden.named("pages/" + name + ".svg")
                    .check(
                            "picture " + name,
                            new String(Base64.getDecoder().decode(picture.group(1)), StandardCharsets.UTF_8));
        }
    }
}
