package dev.edl.examples.clicks;

import dev.edl.examples.PlotStyle;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of the predictions of held-out records: ROC curves and calibration. */
final class ClickPlots {
    private static final int SIDE = 640;
    private static final double[] DIAGONAL = {0, 1};

    private ClickPlots() {}

    /**
     * Writes the ROC curves and the calibration side by side, 1280 x 640 pixels.
     *
     * @param best curve of the true probabilities; empty if they are unknown
     */
    static void write(Path png, Auc deep, Auc linear, Optional<Auc> best, Calibration calibration) throws IOException {
        PlotStyle.write(png, roc(deep, linear, best), calibrated(calibration));
    }

    private static XYChart roc(Auc deep, Auc linear, Optional<Auc> best) {
        XYChart chart =
                square("ROC curve of the held-out records", "false positive rate", "true positive rate (clicks found)");
        best.ifPresent(auc -> curve(chart, "best possible", auc, PlotStyle.GREEN));
        curve(chart, "DeepFM", deep, PlotStyle.BLUE);
        curve(chart, "linear", linear, PlotStyle.RED);
        diagonal(chart, "guessing");
        return chart;
    }

    private static void curve(XYChart chart, String name, Auc auc, Color color) {
        String label = String.format(Locale.ROOT, "%s %.3f", name, auc.area());
        chart.addSeries(label, auc.falsePositives(), auc.truePositives())
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(color)
                .setLineWidth(2f);
    }

    private static XYChart calibrated(Calibration calibration) {
        XYChart chart = square(
                "Calibration of DeepFM: 20 groups of equally many records",
                "predicted probability of a click",
                "share of clicks");
        XYSeries groups = chart.addSeries("held-out records", calibration.predicted(), calibration.observed());
        groups.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(PlotStyle.BLUE).setLineColor(PlotStyle.BLUE);
        diagonal(chart, "as predicted");
        return chart;
    }

    private static XYChart square(String title, String x, String y) {
        XYChart chart = PlotStyle.chart(SIDE, SIDE, title, x, y);
        chart.getStyler().setXAxisMin(0.0).setXAxisMax(1.0).setYAxisMin(0.0).setYAxisMax(1.0);
        return chart;
    }

    private static void diagonal(XYChart chart, String name) {
        chart.addSeries(name, DIAGONAL, DIAGONAL)
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(PlotStyle.GRAY)
                .setLineStyle(
                        new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] {5, 4}, 0));
    }
}
