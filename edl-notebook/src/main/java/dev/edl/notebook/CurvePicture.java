package dev.edl.notebook;

import dev.edl.notebook.Svg.Anchor;
import dev.edl.notebook.Svg.Point;
import dev.edl.runtime.CurvePoint;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Chart of a training: losses above, workers and records per second below, over the same steps. */
final class CurvePicture {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 400;
    private static final int LEFT = 56;
    private static final int RIGHT = WIDTH - 64;
    private static final int UPPER_TOP = 30;
    private static final int UPPER_END = 200;
    private static final int LOWER_TOP = 250;
    private static final int LOWER_END = 360;
    private static final String LOSS = "loss";

    /** Value of a point's number of workers if the number is unknown. */
    static final int UNKNOWN = -1;

    /** Maximum number of intervals for which a rate is drawn; shorter intervals would show timing noise. */
    private static final int RATES = 40;

    private final List<CurvePoint> points;
    private final Svg svg;
    private final Axis steps;

    private record Value(double step, double value) {}

    private CurvePicture(List<CurvePoint> points) {
        this.points = points;
        this.svg = new Svg(WIDTH, HEIGHT, describe(points));
        DoubleSummaryStatistics all =
                points.stream().mapToDouble(CurvePoint::step).summaryStatistics();
        this.steps = Axis.whole(all.getMin(), all.getMax(), LEFT, RIGHT);
    }

    /**
     * Returns the chart of a curve.
     *
     * @param points at least one point
     */
    static Svg of(List<CurvePoint> points) {
        CurvePicture picture = new CurvePicture(points);
        picture.losses();
        picture.work();
        return picture.svg;
    }

    private void losses() {
        List<Value> training = values(CurvePoint::loss);
        List<Value> validation = values(CurvePicture::validated);
        DoubleSummaryStatistics all = stats(training);
        all.combine(stats(validation));
        Axis axis = all.getCount() == 0
                ? Axis.of(0, 1, UPPER_END, UPPER_TOP)
                : Axis.of(Math.min(0, all.getMin()), all.getMax(), UPPER_END, UPPER_TOP);
        frame(axis, UPPER_END);
        legend(UPPER_TOP, "training loss", validation.isEmpty() ? "" : "validation loss");
        svg.curve(onto(axis, training), Svg.FIRST);
        svg.curve(onto(axis, validation), Svg.SECOND);
        onto(axis, validation).forEach(point -> svg.dot(point, Svg.SECOND));
    }

    private void work() {
        List<Value> workers = values(CurvePicture::workers);
        List<Value> rates = rates(points);
        Axis axis = Axis.whole(0, Math.max(0, stats(workers).getMax()), LOWER_END, LOWER_TOP);
        frame(axis, LOWER_END);
        legend(LOWER_TOP, "workers", rates.isEmpty() ? "" : "records a second (right)");
        svg.curve(stairs(onto(axis, workers)), Svg.FIRST);
        if (!rates.isEmpty()) {
            Axis right = Axis.of(0, stats(rates).getMax(), LOWER_END, LOWER_TOP);
            right.ticks().forEach(tick -> svg.text(RIGHT + 6, right.at(tick) + 4, Anchor.START, right.label(tick)));
            svg.curve(onto(right, rates), Svg.SECOND);
        }
        svg.text((LEFT + RIGHT) / 2.0, HEIGHT - 6, Anchor.MIDDLE, "step");
    }

    private void frame(Axis axis, int end) {
        for (double tick : axis.ticks()) {
            svg.axis(new Point(LEFT, axis.at(tick)), new Point(RIGHT, axis.at(tick)));
            svg.text(LEFT - 6, axis.at(tick) + 4, Anchor.END, axis.label(tick));
        }
        for (double tick : steps.ticks()) {
            svg.axis(new Point(steps.at(tick), end), new Point(steps.at(tick), end + 4.0));
            svg.text(steps.at(tick), end + 18.0, Anchor.MIDDLE, steps.label(tick));
        }
    }

    private void legend(int top, String first, String second) {
        double y = top - 12.0;
        svg.curve(List.of(new Point(LEFT, y - 4), new Point(LEFT + 28.0, y - 4)), Svg.FIRST);
        svg.text(LEFT + 34.0, y, Anchor.START, first);
        if (!second.isEmpty()) {
            double x = LEFT + 150.0;
            svg.curve(List.of(new Point(x, y - 4), new Point(x + 28, y - 4)), Svg.SECOND);
            svg.text(x + 34, y, Anchor.START, second);
        }
    }

    private List<Value> values(ToDoubleFunction<CurvePoint> of) {
        return points.stream()
                .map(point -> new Value(point.step(), of.applyAsDouble(point)))
                .filter(value -> Double.isFinite(value.value()))
                .toList();
    }

    private static double workers(CurvePoint point) {
        return point.workers() == UNKNOWN ? Double.NaN : point.workers();
    }

    private static double validated(CurvePoint point) {
        return point.metrics().getOrDefault(LOSS, Double.NaN);
    }

    /** Returns rates in records per second, each over an interval of at least a fortieth of the whole time. */
    private static List<Value> rates(List<CurvePoint> points) {
        CurvePoint before = points.get(0);
        double least = seconds(points.get(points.size() - 1)) / RATES;
        List<Value> rates = new ArrayList<>();
        for (CurvePoint point : points) {
            double time = seconds(point) - seconds(before);
            if (time > 0 && time >= least) {
                rates.add(new Value(point.step(), Math.max(0, point.records() - before.records()) / time));
                before = point;
            }
        }
        return rates;
    }

    private static double seconds(CurvePoint point) {
        return point.elapsed().toNanos() / 1e9;
    }

    private List<Point> onto(Axis axis, List<Value> values) {
        return values.stream()
                .map(value -> new Point(steps.at(value.step()), axis.at(value.value())))
                .toList();
    }

    private static List<Point> stairs(List<Point> points) {
        List<Point> stairs = new ArrayList<>();
        for (Point point : points) {
            if (!stairs.isEmpty()) {
                stairs.add(new Point(point.x(), stairs.get(stairs.size() - 1).y()));
            }
            stairs.add(point);
        }
        return stairs;
    }

    private static DoubleSummaryStatistics stats(List<Value> values) {
        return values.stream().mapToDouble(Value::value).summaryStatistics();
    }

    private static String describe(List<CurvePoint> points) {
        CurvePoint first = points.get(0);
        CurvePoint last = points.get(points.size() - 1);
        DoubleSummaryStatistics workers = points.stream()
                .mapToDouble(CurvePicture::workers)
                .filter(Double::isFinite)
                .summaryStatistics();
        String validation = points.stream()
                .filter(point -> Double.isFinite(validated(point)))
                .reduce((a, b) -> b)
                .map(point -> "; validation loss " + figure(validated(point)) + " at step " + point.step())
                .orElse("");
        return String.format(
                Locale.ROOT,
                "Curve of a training, steps %d to %d: training loss %s to %s%s%s",
                first.step(),
                last.step(),
                figure(first.loss()),
                figure(last.loss()),
                validation,
                workers.getCount() == 0
                        ? ""
                        : String.format(Locale.ROOT, "; %.0f to %.0f workers", workers.getMin(), workers.getMax()));
    }

    private static String figure(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "unknown";
    }
}
