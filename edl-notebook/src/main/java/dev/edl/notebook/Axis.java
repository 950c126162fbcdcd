package dev.edl.notebook;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Axis of a chart, between two round numbers.
 *
 * @param from least value on the axis
 * @param to greatest value on the axis, above the least
 * @param step difference between two ticks
 * @param start pixel of the least value
 * @param end pixel of the greatest value
 */
record Axis(double from, double to, double step, double start, double end) {
    private static final int TICKS = 4;

    /** Returns an axis that includes both values; for equal values it ends at least 1 above them. */
    static Axis of(double least, double greatest, double start, double end) {
        double high = greatest > least ? greatest : least + 1;
        double rough = (high - least) / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = 10 * power;
        for (double digit : new double[] {1, 2, 5}) {
            if (digit * power >= rough) {
                step = digit * power;
                break;
            }
        }
        return new Axis(Math.floor(least / step) * step, Math.ceil(high / step) * step, step, start, end);
    }

    /** Returns an axis that includes both values and has ticks at whole numbers; it covers at least 1. */
    static Axis whole(double least, double greatest, double start, double end) {
        double high = Math.max(greatest, least + 1);
        Axis axis = of(least, high, start, end);
        return axis.step >= 1 ? axis : new Axis(Math.floor(least), Math.ceil(high), 1, start, end);
    }

    double at(double value) {
        return start + (value - from) / (to - from) * (end - start);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        long count = Math.round((to - from) / step);
        for (int i = 0; i <= count; i++) {
            ticks.add(from + i * step);
        }
        return ticks;
    }

    String label(double tick) {
        int digits = step >= 1 ? 0 : (int) Math.ceil(-Math.log10(step) - 1e-9);
        return String.format(Locale.ROOT, "%,." + digits + "f", tick);
    }
}
