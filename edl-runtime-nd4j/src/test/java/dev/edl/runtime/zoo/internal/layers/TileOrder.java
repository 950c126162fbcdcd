package dev.edl.runtime.zoo.internal.layers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Puts a block of images, [record][y][x][channel], in the planes of a {@link WinogradTileLayout} and back, pixel by pixel. */
record TileOrder(WinogradTileLayout grid) {
    /** Input images from a first record; cells outside the image are 99. */
    void inputs(float[] images, int channels, int first, int records, float[][] planes) {
        for (float[] plane : planes) {
            Arrays.fill(plane, 99);
        }
        int skip = first * grid.inputHeight() * grid.inputWidth() * channels;
        eachInput(channels, records, (image, plane, at) -> planes[plane][at] = images[skip + image]);
    }

    float[] inputImages(float[][] planes, int channels, int records) {
        float[] images = new float[records * grid.inputHeight() * grid.inputWidth() * channels];
        eachInput(channels, records, (image, plane, at) -> images[image] = planes[plane][at]);
        return images;
    }

    /** Returns the values of the cells outside the image. */
    List<Float> outside(float[][] planes, int channels, int records) {
        boolean[][] inside = new boolean[WinogradTileLayout.PLANES][grid.inputCells() * records * channels];
        eachInput(channels, records, (image, plane, at) -> inside[plane][at] = true);
        List<Float> outside = new ArrayList<>();
        for (int p = 0; p < inside.length; p++) {
            for (int i = 0; i < inside[p].length; i++) {
                if (!inside[p][i]) {
                    outside.add(planes[p][i]);
                }
            }
        }
        return outside;
    }

    float[] outputs(float[][] planes, int filters, int records) {
        float[] images = new float[records * 16 * grid.tiles() * filters];
        each(
                grid.rows() * 4,
                grid.columns() * 4,
                grid.columns(),
                filters,
                records,
                (image, plane, at) -> images[image] = planes[plane][at]);
        return images;
    }

    void outputPlanes(float[] images, int filters, int first, int records, float[][] planes) {
        int skip = first * 16 * grid.tiles() * filters;
        each(
                grid.rows() * 4,
                grid.columns() * 4,
                grid.columns(),
                filters,
                records,
                (image, plane, at) -> planes[plane][at] = images[skip + image]);
    }

    private void eachInput(int channels, int records, Place place) {
        each(grid.inputHeight(), grid.inputWidth(), grid.columns() + 1, channels, records, place);
    }

    private static void each(int height, int width, int cellColumns, int depth, int records, Place place) {
        for (int r = 0; r < records; r++) {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    for (int c = 0; c < depth; c++) {
                        int cell = y / 4 * cellColumns + x / 4;
                        place.of(
                                ((r * height + y) * width + x) * depth + c,
                                y % 4 * 4 + x % 4,
                                (cell * records + r) * depth + c);
                    }
                }
            }
        }
    }

    private interface Place {
        void of(int image, int plane, int at);
    }
}
