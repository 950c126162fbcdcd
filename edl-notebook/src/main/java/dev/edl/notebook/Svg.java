package dev.edl.notebook;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * SVG picture with a transparent background and three colours that are legible on white and on black. Lines also differ
 * in their dashes. Needs no font, no display and no AWT. Not thread-safe.
 */
final class Svg {
    /** Colour of texts and axes. */
    static final String LETTERS = "#767676";

    /** Style of the first curve: blue, solid. */
    static final Stroke FIRST = new Stroke("#1f77b4", "");

    /** Style of the second curve: red, dashed. */
    static final Stroke SECOND = new Stroke("#d62728", "6 3");

    private static final int LETTER_SIZE = 12;

    private final int width;
    private final int height;
    private final String description;
    private final StringBuilder shapes = new StringBuilder();

    /** Style of a line. */
    record Stroke(String colour, String dash) {
        private String attributes() {
            return " stroke=\"" + colour + "\"" + (dash.isEmpty() ? "" : " stroke-dasharray=\"" + dash + "\"");
        }
    }

    /** Part of a text that is at its x coordinate. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** Point in pixels from the upper left corner. */
    record Point(double x, double y) {
        @Override
        public String toString() {
            return number(x) + "," + number(y);
        }
    }

    /**
     * Creates an empty picture.
     *
     * @param width width in pixels
     * @param height height in pixels
     * @param words description for screen readers and where pictures are not shown
     */
    Svg(int width, int height, String words) {
        this.width = width;
        this.height = height;
        this.description = words;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    String description() {
        return description;
    }

    void text(double x, double y, Anchor anchor, String text) {
        shapes.append("<text x=\"")
                .append(number(x))
                .append("\" y=\"")
                .append(number(y))
                .append("\" text-anchor=\"")
                .append(anchor.name().toLowerCase(Locale.ROOT))
                .append("\" fill=\"" + LETTERS + "\">")
                .append(Html.escaped(text))
                .append("</text>\n");
    }

    /** Draws a thin line of an axis or a grid. */
    void axis(Point from, Point to) {
        shapes.append("<path d=\"M")
                .append(from)
                .append(" L")
                .append(to)
                .append("\" stroke=\"" + LETTERS + "\" stroke-width=\"0.5\"/>\n");
    }

    void curve(List<Point> points, Stroke stroke) {
        if (!points.isEmpty()) {
            shapes.append("<polyline points=\"")
                    .append(points.stream().map(Point::toString).collect(Collectors.joining(" ")))
                    .append("\"")
                    .append(stroke.attributes())
                    .append(" stroke-width=\"1.5\"/>\n");
        }
    }

    void dot(Point at, Stroke stroke) {
        shapes.append("<circle cx=\"")
                .append(number(at.x()))
                .append("\" cy=\"")
                .append(number(at.y()))
                .append("\" r=\"3\" stroke=\"")
                .append(stroke.colour())
                .append("\"/>\n");
    }

    void bar(Point corner, double wide, double high, Stroke stroke) {
        shapes.append("<rect x=\"")
                .append(number(corner.x()))
                .append("\" y=\"")
                .append(number(corner.y()))
                .append("\" width=\"")
                .append(number(wide))
                .append("\" height=\"")
                .append(number(high))
                .append("\"")
                .append(stroke.attributes())
                .append(" fill=\"")
                .append(stroke.colour())
                .append("\" fill-opacity=\"0.25\"/>\n");
    }

    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** Returns the document. */
    @Override
    public String toString() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height
                + "\" viewBox=\"0 0 "
                + width + " " + height + "\" role=\"img\" fill=\"none\" font-family=\"sans-serif\" font-size=\""
                + LETTER_SIZE + "\">\n<title>" + Html.escaped(description)
                + "</title>\n" + shapes
                + "</svg>\n";
    }
}
