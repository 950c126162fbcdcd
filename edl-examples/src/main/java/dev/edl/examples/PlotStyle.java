package dev.edl.examples;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;

/** Common style of all examples' pictures: colours, fonts and PNG output. */
public final class PlotStyle {
    /** Colour of training values. */
    public static final Color BLUE = new Color(0x1f77b4);

    /** Colour of measured values and of mistakes. */
    public static final Color RED = new Color(0xd62728);

    /** Colour of values for comparison. */
    public static final Color GREEN = new Color(0x2ca02c);

    /** Colour of lines and labels beside the curves. */
    public static final Color GRAY = new Color(0x606060);

    private PlotStyle() {}

    /**
     * Returns the font for texts in a picture.
     *
     * @param style {@link Font#PLAIN} or {@link Font#BOLD}
     * @param size size in points
     */
    public static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }

    /** Returns an empty chart with its legend below. */
    public static XYChart chart(int width, int height, String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(width)
                .height(height)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        XYStyler style = chart.getStyler();
        style.setLegendPosition(Styler.LegendPosition.OutsideS);
        style.setLegendLayout(Styler.LegendLayout.Horizontal);
        style.setLegendBorderColor(Color.WHITE);
        style.setLegendFont(font(Font.PLAIN, 14));
        style.setChartBackgroundColor(Color.WHITE);
        style.setPlotBorderVisible(false);
        style.setYAxisDecimalPattern("#,##0.###");
        style.setChartTitleFont(font(Font.BOLD, 16));
        style.setAxisTitleFont(font(Font.PLAIN, 14));
        style.setAxisTickLabelsFont(font(Font.PLAIN, 13));
        style.setAnnotationTextFont(font(Font.PLAIN, 13));
        style.setAnnotationTextFontColor(GRAY);
        style.setAnnotationLineColor(GRAY);
        style.setAnnotationLineStroke(
                new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] {5, 4}, 0));
        return chart;
    }

    /** Writes charts of the same height side by side as a PNG, replacing the file. */
    public static void write(Path png, XYChart... charts) throws IOException {
        int width = Arrays.stream(charts).mapToInt(XYChart::getWidth).sum();
        BufferedImage image = new BufferedImage(width, charts[0].getHeight(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            for (XYChart chart : charts) {
                chart.paint(graphics, chart.getWidth(), chart.getHeight());
                graphics.translate(chart.getWidth(), 0);
            }
        } finally {
            graphics.dispose();
        }
        write(png, image);
    }

    /** Writes a PNG, replacing the file. */
    public static void write(Path png, BufferedImage image) throws IOException {
        Path parent = png.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (!ImageIO.write(image, "png", png.toFile())) {
            throw new IOException(
                    png + ": this Java runtime writes no PNG files; use a runtime with the module java.desktop");
        }
    }
}
