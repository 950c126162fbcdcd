package dev.edl.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Chart of a training: loss and a metric over steps, with a mark at each change of the workers or parameter servers.
 * Safe for several threads.
 */
public final class Chart {
    private static final int WIDTH = 1100;
    private static final int HEIGHT = 640;
    /** Width of the plot area, in pixels. */
    private static final double PLOT = 930;

    /** Average width of a letter in a mark's label, in pixels. */
    private static final double LETTER = 7.2;

    private final String metric;
    private final Curve loss = new Curve();
    private final Curve quality = new Curve();
    private final List<Mark> marks = new ArrayList<>();

    /** Creates a chart of the loss and of a metric whose larger values are better, such as {@code accuracy}. */
    public Chart(String metric) {
        this.metric = metric;
    }

    private record Mark(long step, String label) {}

    /** Adds a loss at a step; ignores NaN and infinity. */
    public synchronized void loss(long step, double value) {
        loss.add(step, value);
    }

    /**
     * Adds a value of the metric at a step.
     *
     * @param value value from 0 to 1
     */
    public synchronized void quality(long step, double value) {
        quality.add(step, value);
    }

    /** Marks a change of the workers or parameter servers at a step. */
    public synchronized void mark(long step, String label) {
        marks.add(new Mark(step, label));
    }

    /** Writes a PNG of 1100 x 640 pixels, replacing the file. */
    public synchronized void write(String title, Path png) throws IOException {
        XYChart chart = PlotStyle.chart(WIDTH, HEIGHT, title, "step (model version)", "loss");
        XYStyler style = chart.getStyler();
        style.setXAxisMin(0.0);
        style.setYAxisMin(0, 0.0);
        style.setYAxisGroupPosition(1, Styler.YAxisPosition.Right);
        chart.setYAxisGroupTitle(1, metric);
        curves(chart);
        marks(chart);
        PlotStyle.write(png, chart);
    }

    private void curves(XYChart chart) {
        if (!loss.isEmpty()) {
            XYSeries series = chart.addSeries("loss, running average of the workers", loss.steps(), loss.values());
            series.setMarker(SeriesMarkers.NONE).setLineColor(PlotStyle.BLUE).setLineWidth(1.6f);
        }
        if (!quality.isEmpty()) {
            XYSeries series = chart.addSeries(metric + " on the held-out records", quality.steps(), quality.values());
            series.setYAxisGroup(1);
            series.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(PlotStyle.RED).setLineColor(PlotStyle.RED);
            // Draws the curve in the upper part of the plot, so that the marks below it stay legible.
            double lowest = quality.lowest();
            chart.getStyler().setYAxisMin(1, Math.max(0, Math.floor((lowest - 1.5 * (1 - lowest)) * 20) / 20));
            chart.getStyler().setYAxisMax(1, 1.0);
        }
    }

    private void marks(XYChart chart) {
        double last = Math.max(loss.last(), quality.last());
        double top = loss.highest();
        if (!(last > 0) || !(top > 0)) {
            return;
        }
        chart.getStyler().setXAxisMax(last);
        // Between the curves if the loss falls far, otherwise below both.
        double height = loss.lowest() > top / 4 ? 0.8 * loss.lowest() : top / 2;
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            chart.addAnnotation(new AnnotationLine(mark.step(), true, false));
            double half = (mark.label().length() * LETTER / 2 + 8) * last / PLOT;
            double centre = mark.step() + 2 * half < last ? mark.step() + half : mark.step() - half;
            chart.addAnnotation(new AnnotationText(mark.label(), centre, height - 0.06 * top * (i % 3), false));
        }
    }
}
