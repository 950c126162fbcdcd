package dev.edl.runtime.zoo.internal.layers;

/**
 * Order of pooled values: converts between Keras' [record][row][column][channel] and that of a {@link WinogradTileLayout}.
 *
 * <p>A dense layer takes Keras' order. Each tile has four values.
 */
record PooledLayoutConverter(WinogradTileLayout grid, int channels) {
    /** Number of pooled values of one tile. */
    static final int PLACES = 4;

    /** Returns the number of pooled floats for one record. */
    int width() {
        return PLACES * grid.tiles() * channels;
    }

    /**
     * Copies a block's pooled values from the grid's order to rows in Keras' order.
     *
     * @param places values by position in the tile
     * @param first row of the block's first record
     */
    void toRows(float[][] places, int first, int records, float[] rows) {
        for (int place = 0; place < PLACES; place++) {
            for (int cell = 0; cell < grid.tiles() * records; cell++) {
                int to = at(place, cell / records, first + cell % records);
                System.arraycopy(places[place], cell * channels, rows, to, channels);
            }
        }
    }

    /** Reverses {@link #toRows}. */
    void toPlaces(float[] rows, int first, int records, float[][] places) {
        for (int place = 0; place < PLACES; place++) {
            for (int cell = 0; cell < grid.tiles() * records; cell++) {
                int from = at(place, cell / records, first + cell % records);
                System.arraycopy(rows, from, places[place], cell * channels, channels);
            }
        }
    }

    private int at(int place, int tile, int record) {
        int row = tile / grid.columns() * 2 + place / 2;
        int column = tile % grid.columns() * 2 + place % 2;
        return record * width() + (row * 2 * grid.columns() + column) * channels;
    }
}
