package dev.edl.runtime.model;

import java.util.ArrayList;
import java.util.List;

/** Puts images of [record][y][x][channel] in the order of a {@link TileGrid} and back, pixel by pixel. */
record TileOrder(TileGrid grid) {
    /** A block of input images, into 16 planes one behind the other; what is outside the image is 99. */
    void inputs(float[] images, int channels, int first, int records, float[] tiles) {
        java.util.Arrays.fill(tiles, 99);
        eachInput(
                channels,
                records,
                (image, tile) ->
                        tiles[tile] = images[first * grid.inputHeight() * grid.inputWidth() * channels + image]);
    }

    float[] inputImages(float[] tiles, int channels, int records) {
        float[] images = new float[records * grid.inputHeight() * grid.inputWidth() * channels];
        eachInput(channels, records, (image, tile) -> images[image] = tiles[tile]);
        return images;
    }

    /** What stands in the cells outside the image; at least one 0. */
    List<Float> outside(float[] tiles, int channels, int records) {
        boolean[] inside = new boolean[TileGrid.PLANES * grid.inputCells() * records * channels];
        eachInput(channels, records, (image, tile) -> inside[tile] = true);
        List<Float> outside = new ArrayList<>();
        for (int i = 0; i < inside.length; i++) {
            if (!inside[i]) {
                outside.add(tiles[i]);
            }
        }
        return outside;
    }

    float[] outputs(float[][] planes, int filters, int records, int block) {
        float[] images = new float[records * 16 * grid.tiles() * filters];
        eachOutput(filters, records, block, (image, plane, at) -> images[image] = planes[plane][at]);
        return images;
    }

    float[][] outputPlanes(float[] images, int filters, int records, int block) {
        float[][] planes = new float[TileGrid.PLANES][records * grid.tiles() * filters];
        eachOutput(filters, records, block, (image, plane, at) -> planes[plane][at] = images[image]);
        return planes;
    }

    private void eachInput(int channels, int records, InputPlace place) {
        for (int r = 0; r < records; r++) {
            for (int y = 0; y < grid.inputHeight(); y++) {
                for (int x = 0; x < grid.inputWidth(); x++) {
                    for (int c = 0; c < channels; c++) {
                        int cell = y / 4 * (grid.columns() + 1) + x / 4;
                        int plane = y % 4 * 4 + x % 4;
                        place.of(
                                ((r * grid.inputHeight() + y) * grid.inputWidth() + x) * channels + c,
                                ((plane * grid.inputCells() + cell) * records + r) * channels + c);
                    }
                }
            }
        }
    }

    private void eachOutput(int filters, int records, int block, OutputPlace place) {
        int height = grid.rows() * 4;
        int width = grid.columns() * 4;
        for (int r = 0; r < records; r++) {
            int first = r - r % block;
            int size = Math.min(block, records - first);
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    for (int f = 0; f < filters; f++) {
                        int cell = y / 4 * grid.columns() + x / 4;
                        place.of(
                                ((r * height + y) * width + x) * filters + f,
                                y % 4 * 4 + x % 4,
                                (first * grid.tiles() + cell * size + r - first) * filters + f);
                    }
                }
            }
        }
    }

    private interface InputPlace {
        void of(int image, int tile);
    }

    private interface OutputPlace {
        void of(int image, int plane, int at);
    }
}
