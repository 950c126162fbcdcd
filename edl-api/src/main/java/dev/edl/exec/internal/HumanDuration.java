package dev.edl.exec.internal;

import java.time.Duration;

/**
 * Formats durations as {@code kubectl} formats ages, by HumanDuration in k8s.io/apimachinery/pkg/util/duration. The
 * result has at most two units, and the smaller unit only while the number of the larger one is small: {@code 5m30s},
 * but {@code 12m}.
 */
public final class HumanDuration {
    private static final long YEAR = 365;

    private HumanDuration() {}

    public static String of(Duration age) {
        // Rounded towards zero, as Go converts: a clock that is slightly behind still prints 0s.
        long seconds = age.toMillis() / 1000;
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (hours < 192) {
            return two(days, "d", hours % 24, "h");
        }
        if (days < YEAR * 2) {
            return days + "d";
        }
        long years = days / YEAR;
        return days < YEAR * 8 ? two(years, "y", days % YEAR, "d") : years + "y";
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : small + smallUnit);
    }
}
