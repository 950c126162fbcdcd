package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A picture appears on light and dark pages, so its colours must be legible on both; the ratios are WCAG 2's. */
class ContrastTest {
    /** WCAG 2's minimum contrast of lines and large letters. */
    private static final double LINES = 3;

    private static final double LETTERS = 4;

    private static final int WHITE = 0xffffff;

    /** JupyterLab's dark background. */
    private static final int DARK = 0x111111;

    static Stream<String> colours() {
        return Stream.of(Svg.LETTERS, Svg.FIRST.colour(), Svg.SECOND.colour());
    }

    @ParameterizedTest
    @MethodSource("colours")
    void every_colour_reads_on_white_and_on_black(String colour) {
        assertThat(contrast(rgb(colour), WHITE)).isGreaterThan(LINES);
        assertThat(contrast(rgb(colour), DARK)).isGreaterThan(LINES);
    }

    @Test
    void letters_read_better_than_lines() {
        assertThat(contrast(rgb(Svg.LETTERS), WHITE)).isGreaterThan(LETTERS);
        assertThat(contrast(rgb(Svg.LETTERS), DARK)).isGreaterThan(LETTERS);
    }

    @Test
    void the_scale_is_that_of_the_standard() {
        assertThat(contrast(0, WHITE)).isEqualTo(21);
    }

    @Test
    void curves_differ_without_colour() {
        assertThat(Svg.FIRST.dash()).isNotEqualTo(Svg.SECOND.dash());
    }

    private static int rgb(String colour) {
        return Integer.parseInt(colour.substring(1), 16);
    }

    private static double contrast(int one, int other) {
        double light = Math.max(luminance(one), luminance(other));
        double dark = Math.min(luminance(one), luminance(other));
        return (light + 0.05) / (dark + 0.05);
    }

    private static double luminance(int rgb) {
        return 0.2126 * linear(rgb >> 16 & 0xff) + 0.7152 * linear(rgb >> 8 & 0xff) + 0.0722 * linear(rgb & 0xff);
    }

    private static double linear(int channel) {
        double part = channel / 255.0;
        return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }
}
