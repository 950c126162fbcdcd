package dev.edl.runtime.model;

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
record TileGrid(int rows, int columns) {
    static final int PLANES = 16;

    /**
     * The grid of an output image.
     *
     * @throws IllegalArgumentException when a side is not a multiple of 4
     */
    static TileGrid ofOutputs(int height, int width) {
        if (height < 4 || width < 4 || height % 4 != 0 || width % 4 != 0) {
            throw new IllegalArgumentException(
                    "the outputs of a Winograd convolution must have sides that are multiples"
                            + " of 4, for example 24 x 24, was " + height + " x " + width);
        }
        return new TileGrid(height / 4, width / 4);
    }

    /** Tiles of one record. */
    int tiles() {
        return rows * columns;
    }

    /** Cells of an input plane. */
    int inputCells() {
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

    /** The pixel (y * inputWidth + x) of an input plane's cell; -1 when it is outside the image. */
    int inputPixel(int plane, int cell) {
        int y = cell / (columns + 1) * 4 + plane / 4;
        int x = cell % (columns + 1) * 4 + plane % 4;
        return y < inputHeight() && x < inputWidth() ? y * inputWidth() + x : -1;
    }
}
