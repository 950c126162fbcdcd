package dev.edl.examples;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of a training: loss and accuracy over steps, and a mark at each change of the membership. */
public final class Chart {
    private final List<Double> lossSteps = new ArrayList<>();
    private final List<Double> losses = new ArrayList<>();
    private final List<Double> accuracySteps = new ArrayList<>();
    private final List<Double> accuracies = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();

    private record Mark(long step, String label) {}

    /** Adds a loss at a step. */
    public synchronized void loss(long step, double loss) {
        lossSteps.add((double) step);
        losses.add(loss);
    }

    /** Adds an accuracy, 0 to 1, at a step. */
    public synchronized void accuracy(long step, double accuracy) {
        accuracySteps.add((double) step);
        accuracies.add(accuracy);
    }

    /** Marks a change of the membership at a step. */
    public synchronized void mark(long step, String label) {
        marks.add(new Mark(step, label));
    }

    /** Writes a PNG of 1000 x 600 pixels, replacing the file. */
    public synchronized void write(String title, Path png) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(1000)
                .height(600)
                .title(title)
                .xAxisTitle("step (model version)")
                .yAxisTitle("loss")
                .build();
        chart.getStyler()
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false);
        chart.getStyler().setYAxisGroupPosition(1, Styler.YAxisPosition.Right);
        chart.setYAxisGroupTitle(1, "accuracy on the test records");
        chart.getStyler().setYAxisMin(0, 0.0);
        chart.getStyler().setYAxisMin(1, 0.0);
        chart.getStyler().setYAxisMax(1, 1.0);
        if (!losses.isEmpty()) {
            XYSeries loss = chart.addSeries("loss of a minibatch", lossSteps, losses);
            loss.setMarker(SeriesMarkers.NONE).setLineColor(new Color(0x1f77b4));
        }
        if (!accuracies.isEmpty()) {
            XYSeries accuracy = chart.addSeries("accuracy", accuracySteps, accuracies);
            accuracy.setYAxisGroup(1);
            accuracy.setMarker(SeriesMarkers.CIRCLE).setLineColor(new Color(0xd62728));
            accuracy.setMarkerColor(new Color(0xd62728));
        }
        double top = losses.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            XYSeries line =
                    chart.addSeries("mark " + i, new double[] {mark.step(), mark.step()}, new double[] {0, top});
            line.setMarker(SeriesMarkers.NONE)
                    .setLineColor(Color.GRAY)
                    .setLineStyle(SeriesLines.DASH_DASH)
                    .setLineWidth(1)
                    .setShowInLegend(false);
            chart.addAnnotation(new AnnotationText(mark.label(), mark.step(), top * (0.97 - 0.07 * (i % 4)), false));
        }
        Path parent = png.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try (OutputStream file = Files.newOutputStream(png)) {
            ChartEncoder.saveChart(chart, file, "png");
        }
    }
}
