package dev.edl.runtime.model.internal.layers;

import java.util.Arrays;

/**
 * How the images around a {@link WinogradConvolution} lie in memory, so that all its loops run over long stretches.
 *
 * <p>An image is cut into 16 planes by its row and column modulo 4: pixel (y, x) is in plane {@code y % 4 * 4 + x % 4} at
 * cell (y / 4, x / 4). A few records, a block, are stored together; in each cell stand its records, and of each record the
 * channels: {@code [cell row][cell column][record][channel]}. Inputs, two rows and columns larger than outputs, have one
 * row and one column of cells more, of which only the planes of pixels 0 and 1 are in the image.
 *
 * @param rows of tiles, and of output cells
 * @param columns of tiles, and of output cells
 */
public record TileGrid(int rows, int columns) {
    public static final int PLANES = 16;

    /**
     * The grid of an output image.
     *
     * @throws IllegalArgumentException when a side is not a multiple of 4
     */
    public static TileGrid ofOutputs(int height, int width) {
        if (height < 4 || width < 4 || height % 4 != 0 || width % 4 != 0) {
            throw new IllegalArgumentException(
                    "the outputs of a Winograd convolution must have sides that are multiples"
                            + " of 4, for example 24 x 24, was " + height + " x " + width);
        }
        return new TileGrid(height / 4, width / 4);
    }

    /** Tiles of one record. */
    public int tiles() {
        return rows * columns;
    }

    /** Cells of an input plane. */
    public int inputCells() {
        return (rows + 1) * (columns + 1);
    }

    /** Height of an input image. */
    int inputHeight() {
        return 4 * rows + 2;
    }

    /** Width of an input image. */
    int inputWidth() {
        return 4 * columns + 2;
    }

    /**
     * Copies, for each of the 6 x 6 places in a tile's input, what stands there in all tiles.
     *
     * @param depth floats of a cell: records of the block times channels
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

    /** The transpose of {@link #gather}: adds up what the places of neighbouring tiles have for the same pixel. */
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
     * Where an input plane's cell stands in a row-major image that has the inputs' upper left corner for its own.
     *
     * @return y * imageWidth + x; -1 when the cell is outside the inputs
     */
    int inputCorner(int plane, int cell, int imageWidth) {
        int y = cell / (columns + 1) * 4 + plane / 4;
        int x = cell % (columns + 1) * 4 + plane % 4;
        return y < inputHeight() && x < inputWidth() ? y * imageWidth + x : -1;
    }
}
