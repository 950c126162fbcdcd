package dev.edl.notebook;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Text of values in table cells. */
final class CellText {
    private static final MathContext DIGITS = new MathContext(6);
    private static final double LEAST = 1e-4;
    private static final double MOST = 1e7;

    private CellText() {}

    /** Returns, for example, {@code 1m30s}, or {@code 1.234s} below a minute. */
    static String of(Duration duration) {
        Duration shown = duration.truncatedTo(
                duration.compareTo(Duration.ofMinutes(1)) < 0 ? ChronoUnit.MILLIS : ChronoUnit.SECONDS);
        return shown.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns a number with up to six digits. */
    static String figure(double value) {
        if (!Double.isFinite(value) || value == 0) {
            return Double.toString(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
        return Math.abs(value) < LEAST || Math.abs(value) >= MOST ? rounded.toString() : rounded.toPlainString();
    }

    /** Returns one row for each metric: its name and value. */
    static List<List<String>> metrics(Map<String, Double> metrics) {
        return metrics.entrySet().stream()
                .map(metric -> List.of(metric.getKey(), figure(metric.getValue())))
                .toList();
    }
}
