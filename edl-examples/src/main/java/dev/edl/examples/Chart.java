package dev.edl.examples;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A picture of a training: loss and accuracy over steps, and a mark at each change of the membership. Safe for several
 * threads.
 */
public final class Chart {
    private static final int WIDTH = 1100;
    private static final int HEIGHT = 640;
    /** What of the width is the plot itself, and what a letter of a mark takes of it, in pixels. */
    private static final double PLOT = 930;

    private static final double LETTER = 7.2;
    private static final Color BLUE = new Color(0x1f77b4);
    private static final Color RED = new Color(0xd62728);
    private static final Color GRAY = new Color(0x606060);

    private final Curve loss = new Curve();
    private final Curve accuracy = new Curve();
    private final List<Mark> marks = new ArrayList<>();

    private record Mark(long step, String label) {}

    /** Adds a loss at a step; one that is no number is left out. */
    public synchronized void loss(long step, double value) {
        loss.add(step, value);
    }

    /** Adds an accuracy, 0 to 1, at a step. */
    public synchronized void accuracy(long step, double value) {
        accuracy.add(step, value);
    }

    /** Marks a change of the membership at a step. */
    public synchronized void mark(long step, String label) {
        marks.add(new Mark(step, label));
    }

    /** Writes a PNG of 1100 x 640 pixels, replacing the file. */
    public synchronized void write(String title, Path png) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("step (model version)")
                .yAxisTitle("loss")
                .build();
        style(chart);
        curves(chart);
        marks(chart);
        Path parent = png.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try (OutputStream file = Files.newOutputStream(png)) {
            ChartEncoder.saveChart(chart, file, "png");
        }
    }

    private static void style(XYChart chart) {
        XYStyler style = chart.getStyler();
        style.setLegendPosition(Styler.LegendPosition.OutsideS);
        style.setLegendLayout(Styler.LegendLayout.Horizontal);
        style.setLegendBorderColor(Color.WHITE);
        style.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        style.setChartBackgroundColor(Color.WHITE);
        style.setPlotBorderVisible(false);
        style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
        style.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        style.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        style.setAnnotationTextFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        style.setAnnotationTextFontColor(GRAY);
        style.setAnnotationLineColor(GRAY);
        style.setAnnotationLineStroke(
                new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] {5, 4}, 0));
        style.setXAxisMin(0.0);
        style.setYAxisMin(0, 0.0);
        style.setYAxisGroupPosition(1, Styler.YAxisPosition.Right);
        chart.setYAxisGroupTitle(1, "accuracy");
    }

    private void curves(XYChart chart) {
        if (!loss.isEmpty()) {
            XYSeries series = chart.addSeries("loss, running average of the workers", loss.steps(), loss.values());
            series.setMarker(SeriesMarkers.NONE).setLineColor(BLUE).setLineWidth(1.6f);
        }
        if (!accuracy.isEmpty()) {
            XYSeries series = chart.addSeries("accuracy on the held-out records", accuracy.steps(), accuracy.values());
            series.setYAxisGroup(1);
            series.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(RED).setLineColor(RED);
            // The curve lies in the upper part of the plot, so that the marks can be read below it.
            double lowest = accuracy.lowest();
            chart.getStyler().setYAxisMin(1, Math.max(0, Math.floor((lowest - 1.5 * (1 - lowest)) * 20) / 20));
            chart.getStyler().setYAxisMax(1, 1.0);
        }
    }

    private void marks(XYChart chart) {
        double last = Math.max(loss.last(), accuracy.last());
        double top = loss.highest();
        if (!(last > 0) || !(top > 0)) {
            return;
        }
        chart.getStyler().setXAxisMax(last);
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            chart.addAnnotation(new AnnotationLine(mark.step(), true, false));
            double half = (mark.label().length() * LETTER / 2 + 8) * last / PLOT;
            double centre = mark.step() + 2 * half < last ? mark.step() + half : mark.step() - half;
            chart.addAnnotation(new AnnotationText(mark.label(), centre, top * (0.5 - 0.06 * (i % 4)), false));
        }
    }
}
