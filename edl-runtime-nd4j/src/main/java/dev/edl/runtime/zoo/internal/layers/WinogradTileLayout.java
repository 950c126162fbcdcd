package dev.edl.runtime.zoo.internal.layers;

import java.util.Arrays;

/**
 * Memory layout of the images around a {@link WinogradConvolution}, so that all its loops are long.
 *
 * <p>An image is split into 16 planes by its row and column modulo 4: pixel (y, x) is in plane
 * {@code y % 4 * 4 + x % 4} at cell (y / 4, x / 4). A block of a few records is stored together. Each cell holds the
 * records, and each record its channels: {@code [cell row][cell column][record][channel]}.
 *
 * <p>Inputs are two rows and columns larger than outputs. They have one more row and column of cells, of which only the
 * planes of pixels 0 and 1 are in the image.
 *
 * @param rows number of rows of tiles, equal to the rows of output cells
 * @param columns number of columns of tiles, equal to the columns of output cells
 */
public record WinogradTileLayout(int rows, int columns) {
    public static final int PLANES = 16;

    /**
     * Returns the grid for output images of a size.
     *
     * @throws IllegalArgumentException when a side is not a multiple of 4
     */
    public static WinogradTileLayout ofOutputs(int height, int width) {
        if (height < 4 || width < 4 || height % 4 != 0 || width % 4 != 0) {
            throw new IllegalArgumentException(
                    "the outputs of a Winograd convolution must have sides that are multiples"
                            + " of 4, for example 24 x 24, was " + height + " x " + width);
        }
        return new WinogradTileLayout(height / 4, width / 4);
    }

    /** Returns the number of tiles in one record. */
    public int tiles() {
        return rows * columns;
    }

    /** Returns the number of cells in an input plane. */
    public int inputCells() {
        return (rows + 1) * (columns + 1);
    }

    /** Returns the height of an input image. */
    int inputHeight() {
        return 4 * rows + 2;
    }

    /** Returns the width of an input image. */
    int inputWidth() {
        return 4 * columns + 2;
    }

    /**
     * Copies the values of all tiles for each of the 6 x 6 positions in a tile's input.
     *
     * @param depth number of floats in a cell: records of the block times channels
     */
    void gather(float[][] planes, int depth, float[][] places) {
        int run = columns * depth;
        for (int place = 0; place < places.length; place++) {
            float[] from = planes[plane(place)];
            int at = firstCell(place) * depth;
            for (int row = 0; row < rows; row++) {
                System.arraycopy(from, at + row * (run + depth), places[place], row * run, run);
            }
        }
    }

    /**
     * Adds, for each input pixel, the values that all tiles with this pixel have for it; the transpose of
     * {@link #gather}.
     */
    void scatter(float[][] places, int depth, float[][] planes) {
        int run = columns * depth;
        for (int plane = 0; plane < PLANES; plane++) {
            Arrays.fill(planes[plane], 0, inputCells() * depth, 0f);
        }
        for (int place = 0; place < places.length; place++) {
            float[] to = planes[plane(place)];
            int at = firstCell(place) * depth;
            for (int row = 0; row < rows; row++) {
                add(places[place], row * run, to, at + row * (run + depth), run);
            }
        }
    }

    private static void add(float[] from, int at, float[] into, int to, int n) {
        for (int i = 0; i < n; i++) {
            into[to + i] += from[at + i];
        }
    }

    private static int plane(int place) {
        return place / Winograd.PRODUCTS % 4 * 4 + place % Winograd.PRODUCTS % 4;
    }

    private int firstCell(int place) {
        return place / Winograd.PRODUCTS / 4 * (columns + 1) + place % Winograd.PRODUCTS / 4;
    }

    /**
     * Returns the index of an input plane's cell in a row-major image with the same upper left corner.
     *
     * @return y * imageWidth + x; -1 when the cell is outside the inputs
     */
    int inputCorner(int plane, int cell, int imageWidth) {
        int y = cell / (columns + 1) * 4 + plane / 4;
        int x = cell % (columns + 1) * 4 + plane % 4;
        return y < inputHeight() && x < inputWidth() ? y * imageWidth + x : -1;
    }
}
