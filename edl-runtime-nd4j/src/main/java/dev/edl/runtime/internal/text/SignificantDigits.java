package dev.edl.runtime.internal.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats numbers for people with six significant digits. */
public final class SignificantDigits {
    private static final MathContext DIGITS = new MathContext(6);
    private static final double LEAST = 1e-4;
    private static final double MOST = 1e7;

    private SignificantDigits() {}

    /** Returns, for example, {@code 0.961111} or {@code 5.8E+11}; NaN and infinities unchanged. */
    public static String of(double value) {
        if (!Double.isFinite(value) || value == 0) {
            return Double.toString(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
        double size = Math.abs(value);
        if (size < LEAST || size >= MOST) {
            return rounded.toString();
        }
        return rounded.scale() <= 0 ? rounded.setScale(1).toPlainString() : rounded.toPlainString();
    }

    /** Returns, for example, <code>{accuracy=0.961111, loss=0.31}</code>. */
    public static String of(Map<String, Double> metrics) {
        return metrics.entrySet().stream()
                .map(metric -> metric.getKey() + "=" + of(metric.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
