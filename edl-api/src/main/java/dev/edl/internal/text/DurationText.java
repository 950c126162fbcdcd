package dev.edl.internal.text;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in text: ISO-8601 ({@code PT2H30M}), or numbers with units ({@code 30s}, {@code 2h30m}). */
public final class DurationText {
    /**
     * Longest duration that a setting may have: a hundred years. It exceeds that of any job, and sums of times with it
     * stay far below their overflow.
     */
    public static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Pattern UNITS =
            Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?");

    private DurationText() {}

    /** Returns the duration of a text; empty if the text is none. */
    public static Optional<Duration> parse(String text) {
        Matcher units = UNITS.matcher(text);
        if (!text.isEmpty() && units.matches()) {
            return Optional.of(Duration.ofDays(number(units, 1))
                    .plusHours(number(units, 2))
                    .plusMinutes(number(units, 3))
                    .plusSeconds(number(units, 4)));
        }
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Returns a duration for people, down to milliseconds: {@code 10m}, {@code 1h30m}, {@code 250ms}; {@code 0s} for zero. */
    public static String of(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toDays(), "d");
        append(text, duration.toHoursPart(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long count, String unit) {
        if (count > 0) {
            text.append(count).append(unit);
        }
    }

    private static long number(Matcher units, int group) {
        return units.group(group) == null ? 0 : Long.parseLong(units.group(group));
    }
}
