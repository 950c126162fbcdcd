package dev.edl.bench.remote;

import dev.edl.bench.remote.ScalingSpeed.Side;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;

/** SVG picture of records per second over workers, with a line for each side. Legible on white and on black. */
final class ScalingPicture {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 400;
    private static final int LEFT = 80;
    private static final int RIGHT = 620;
    private static final int TOP = 20;
    private static final int BOTTOM = 360;
    private static final String LETTERS = "#767676";

    private final StringBuilder shapes = new StringBuilder();
    private final double workers;
    private final double rate;

    private ScalingPicture(double workers, double rate) {
        this.workers = workers;
        this.rate = rate;
    }

    /** Returns the picture of a model's rates, which has at least one number of workers. */
    static String of(String model, NavigableMap<Integer, Map<Side, Double>> rates) {
        double most = rates.values().stream()
                .flatMap(row -> row.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElseThrow();
        ScalingPicture picture = new ScalingPicture(rates.lastKey(), most);
        picture.axes(model, rates);
        double legend = TOP;
        for (Side side : Side.values()) {
            picture.line(side, legend, rates);
            legend += 16;
        }
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n%s</svg>%n",
                WIDTH,
                HEIGHT,
                picture.shapes);
    }

    private void axes(String model, NavigableMap<Integer, Map<Side, Double>> rates) {
        add("<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"%s\"/>%n", LEFT, TOP, BOTTOM, RIGHT, LETTERS);
        for (int count : rates.keySet()) {
            text(x(count), BOTTOM + 16.0, "middle", String.valueOf(count));
        }
        for (int part = 0; part <= 4; part++) {
            text(LEFT - 6.0, y(rate * part / 4) + 4, "end", String.format(Locale.ROOT, "%,.0f", rate * part / 4));
        }
        text((LEFT + RIGHT) / 2.0, HEIGHT - 6.0, "middle", "workers; records per second of the " + model);
    }

    private void line(Side side, double legend, NavigableMap<Integer, Map<Side, Double>> rates) {
        StringBuilder points = new StringBuilder();
        rates.forEach((count, row) -> {
            Double value = row.get(side);
            if (value != null) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(count), y(value)));
            }
        });
        if (points.length() > 0) {
            add(
                    "<polyline points=\"%s\" fill=\"none\" stroke-width=\"2\" %s/>%n",
                    points.toString().strip(), side.stroke);
            add("<path d=\"M%d %.1fh30\" stroke-width=\"2\" %s/>%n", LEFT + 16, legend, side.stroke);
            text(LEFT + 52.0, legend + 4, "start", side.title);
        }
    }

    private void text(double x, double y, String anchor, String words) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n", x, y, anchor, LETTERS, words);
    }

    private void add(String shape, Object... values) {
        shapes.append(String.format(Locale.ROOT, shape, values));
    }

    private double x(int count) {
        return LEFT + (RIGHT - LEFT) * count / workers;
    }

    private double y(double value) {
        return BOTTOM - (BOTTOM - TOP) * value / rate;
    }
}
