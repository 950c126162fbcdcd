package dev.edl.notebook;

import dev.edl.notebook.Svg.Anchor;
import dev.edl.notebook.Svg.Point;
import dev.edl.notebook.Svg.Stroke;
import dev.edl.testkit.cluster.PodPlacementPeriod;
import dev.edl.testkit.cluster.SimulatedCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Simulated clusters as HTML. Needs module {@code edl-testkit}. */
public final class SimulatedClusterHtml {
    private static final int LEFT = 240;
    private static final int WIDTH = 760;
    private static final int RIGHT = WIDTH - 40;
    private static final int ROW = 18;
    private static final int TOP = 24;

    /** Minimum length of the time axis. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final double NARROWEST = 2;

    private SimulatedClusterHtml() {}

    /** Returns a picture of the pods on each node over time, with one row for each pod below its node. */
    public static String of(SimulatedCluster cluster) {
        return Html.image(picture(cluster.timeline(), cluster.now())).toString();
    }

    static Svg picture(List<PodPlacementPeriod> spans, Instant now) {
        Map<String, List<PodPlacementPeriod>> nodes = new TreeMap<>();
        spans.forEach(span ->
                nodes.computeIfAbsent(span.node(), node -> new ArrayList<>()).add(span));
        Instant start = spans.stream()
                .map(PodPlacementPeriod::from)
                .min(Instant::compareTo)
                .orElse(now);
        Axis axis = Axis.of(0, Math.max(seconds(start, now), SHORTEST.toMillis() / 1e3), LEFT, RIGHT);
        int rows = spans.size() + nodes.size();
        int end = TOP + rows * ROW + 8;
        Svg svg = new Svg(WIDTH, end + 44, describe(spans, nodes.size(), start, now));
        for (double tick : axis.ticks()) {
            svg.axis(new Point(axis.at(tick), TOP - 8.0), new Point(axis.at(tick), end));
            svg.text(axis.at(tick), end + 16.0, Anchor.MIDDLE, axis.label(tick) + "s");
        }
        svg.text(4, end + 36.0, Anchor.START, "since " + start);
        legend(svg, end + 36.0);
        double y = TOP;
        for (Map.Entry<String, List<PodPlacementPeriod>> node : nodes.entrySet()) {
            svg.text(4, y + 10, Anchor.START, node.getKey());
            y += ROW;
            for (PodPlacementPeriod span : node.getValue()) {
                row(svg, axis, start, now, span, y);
                y += ROW;
            }
        }
        return svg;
    }

    private static void row(Svg svg, Axis axis, Instant start, Instant now, PodPlacementPeriod span, double y) {
        double from = axis.at(seconds(start, span.from()));
        double until = axis.at(seconds(start, span.until().orElse(now)));
        Stroke stroke = span.job().isPresent() ? Svg.FIRST : Svg.SECOND;
        svg.text(LEFT - 8.0, y + 10, Anchor.END, span.pod());
        svg.bar(new Point(from, y), Math.max(NARROWEST, until - from), ROW - 6.0, stroke);
        if (!span.end().isEmpty()) {
            svg.text(Math.max(from + NARROWEST, until) + 6, y + 10, Anchor.START, span.end());
        }
    }

    private static void legend(Svg svg, double y) {
        svg.bar(new Point(LEFT, y - 10), 28, 12, Svg.FIRST);
        svg.text(LEFT + 34.0, y, Anchor.START, "replicas of jobs");
        svg.bar(new Point(LEFT + 160.0, y - 10), 28, 12, Svg.SECOND);
        svg.text(LEFT + 194.0, y, Anchor.START, "pods of deployments");
    }

    private static double seconds(Instant start, Instant at) {
        return Duration.between(start, at).toMillis() / 1e3;
    }

    private static String describe(List<PodPlacementPeriod> spans, int nodes, Instant start, Instant now) {
        long there = spans.stream().filter(span -> span.until().isEmpty()).count();
        return spans.size() + " pods on " + nodes + " nodes within " + CellText.of(Duration.between(start, now)) + ", "
                + there + " of them still there";
    }
}
