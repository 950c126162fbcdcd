package dev.edl.runtime.engine.files;

import dev.edl.runtime.CurvePoint;
import dev.edl.runtime.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Points of a training's curve, at most {@link #MOST} for a training of any length. At that number, every second point
 * is dropped. Later progress is thinned alike, so that the points stay evenly spaced. Not thread-safe.
 */
final class BoundedCurve {
    /** Maximum number of points: as many as a plot can show. */
    static final int MOST = 1000;

    private final List<CurvePoint> points = new ArrayList<>();
    private @Nullable CurvePoint newest;
    private long stride = 1;
    private long skipped;

    /** Adds progress of the training; ignores progress of an evaluation. */
    void moved(Progress to, int workers) {
        CurvePoint before = newest;
        if (before != null && before.step() == to.step() && before.records() == to.recordsDone()) {
            return;
        }
        newest = new CurvePoint(to.step(), to.recordsDone(), to.elapsed(), to.loss(), Map.of(), workers);
        skipped++;
        if (skipped >= stride) {
            skipped = 0;
            keep(points.size(), newest);
        }
    }

    /** Adds the metrics of an evaluation to the point of its version; the evaluation may be old or repeated. */
    void evaluated(long step, Map<String, Double> metrics) {
        List<CurvePoint> all = points();
        int last = all.size() - 1;
        while (last >= 0 && all.get(last).step() > step) {
            last--;
        }
        CurvePoint before = last < 0 ? new CurvePoint(step, 0, Duration.ZERO, Double.NaN, Map.of(), 0) : all.get(last);
        CurvePoint point =
                new CurvePoint(step, before.records(), before.elapsed(), before.loss(), metrics, before.workers());
        if (last >= 0 && last < points.size() && before.step() == step) {
            points.set(last, point);
        } else {
            keep(Math.min(last + 1, points.size()), point);
        }
    }

    /** Returns the points in order of time, including the newest progress. */
    List<CurvePoint> points() {
        List<CurvePoint> all = new ArrayList<>(points);
        CurvePoint end = newest;
        if (end != null && (all.isEmpty() || !isBehind(all.get(all.size() - 1), end))) {
            all.add(end);
        }
        return all;
    }

    /** Returns whether a stored point {@code kept} already has all values of {@code end}, the newest point. */
    private static boolean isBehind(CurvePoint kept, CurvePoint end) {
        return kept.step() == end.step() && kept.records() == end.records();
    }

    private void keep(int at, CurvePoint point) {
        points.add(at, point);
        // One entry is reserved for the newest point.
        if (points.size() >= MOST) {
            thin();
        }
    }

    /**
     * Drops every second point without an evaluation. If more than three quarters of all points remain, also drops
     * every second point with one.
     */
    private void thin() {
        int all = points.size();
        stride *= 2;
        everySecond(false);
        if (points.size() > all * 3 / 4) {
            everySecond(true);
        }
    }

    private void everySecond(boolean evaluated) {
        List<CurvePoint> kept = new ArrayList<>();
        int seen = 0;
        for (CurvePoint point : points) {
            boolean counts = point.metrics().isEmpty() != evaluated;
            if (!counts || seen++ % 2 == 0) {
                kept.add(point);
            }
        }
        points.clear();
        points.addAll(kept);
    }
}
