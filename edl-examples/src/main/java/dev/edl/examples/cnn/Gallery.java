package dev.edl.examples.cnn;

import dev.edl.examples.PlotStyle;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.function.IntUnaryOperator;

/** Picture of small images in rows, each with a line of text below it. */
final class Gallery {
    private static final int MARGIN = 24;
    private static final int HEAD = 78;
    private static final int GAP = 16;

    private final BufferedImage image;
    private final Graphics2D graphics;
    private final int columns;
    private final int tile;
    private final int line;
    private int placed;

    /**
     * Creates an empty picture.
     *
     * @param tile width and height of each image in the picture, in pixels
     * @param line height of the line of text below each image, in pixels
     */
    Gallery(String title, String subtitle, int columns, int rows, int tile, int line) {
        this.columns = columns;
        this.tile = tile;
        this.line = line;
        int width = 2 * MARGIN + columns * (tile + GAP) - GAP;
        int height = HEAD + MARGIN + rows * (tile + line + GAP) - GAP;
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        centred(title, PlotStyle.font(Font.BOLD, 16), Color.BLACK, width / 2, 30);
        centred(subtitle, PlotStyle.font(Font.PLAIN, 14), PlotStyle.GRAY, width / 2, 54);
    }

    /**
     * Appends an image.
     *
     * @param side width and height of the image, in pixels of its own
     * @param rgb returns the colour of each of these pixels, by row-major index
     * @param words text below the image
     * @param color colour of the text
     */
    void add(int side, IntUnaryOperator rgb, String words, Color color) {
        int left = MARGIN + placed % columns * (tile + GAP);
        int top = HEAD + placed / columns * (tile + line + GAP);
        placed++;
        for (int y = 0; y < tile; y++) {
            for (int x = 0; x < tile; x++) {
                image.setRGB(left + x, top + y, rgb.applyAsInt(y * side / tile * side + x * side / tile));
            }
        }
        graphics.setColor(Color.LIGHT_GRAY);
        graphics.drawRect(left - 1, top - 1, tile + 1, tile + 1);
        centred(words, PlotStyle.font(Font.PLAIN, 13), color, left + tile / 2, top + tile + 16);
    }

    private void centred(String text, Font font, Color color, int x, int y) {
        graphics.setFont(font);
        graphics.setColor(color);
        graphics.drawString(text, x - graphics.getFontMetrics().stringWidth(text) / 2, y);
    }

    /** Returns the picture, after which no image can be added. */
    BufferedImage image() {
        graphics.dispose();
        return image;
    }
}
