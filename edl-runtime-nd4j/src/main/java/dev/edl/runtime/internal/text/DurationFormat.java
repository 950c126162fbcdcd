package dev.edl.runtime.internal.text;

import java.time.Duration;

/** Formats durations for people. */
public final class DurationFormat {
    private DurationFormat() {}

    /** Returns, for example, {@code 10m}, {@code 1h30m}, {@code 250ms}; {@code 0s} for zero. */
    public static String of(Duration span) {
        StringBuilder text = new StringBuilder();
        append(text, span.toDays(), "d");
        append(text, span.toHoursPart(), "h");
        append(text, span.toMinutesPart(), "m");
        append(text, span.toSecondsPart(), "s");
        append(text, span.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long count, String unit) {
        if (count > 0) {
            text.append(count).append(unit);
        }
    }
}
