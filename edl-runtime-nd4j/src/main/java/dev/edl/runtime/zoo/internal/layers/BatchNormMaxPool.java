package dev.edl.runtime.zoo.internal.layers;

/** Batch normalization followed by a 2 x 2 maximum, on the planes of a {@link WinogradTileLayout} after a ReLU. */
public final class BatchNormMaxPool {
    private final BatchNormalization normalization;
    private final PooledLayoutConverter order;
    /** Largest values before normalization, by block and position in the tile. */
    private final float[][][] chosen;
    /**
     * Gradient of the pooled values, and during {@link #backward} its part that no plane has taken, by block and
     * position in the tile.
     */
    private final float[][][] gradients;

    private final float[][] pooled;
    private final float[] taken;

    /**
     * Allocates buffers.
     *
     * @param blocks the maximum number of blocks in a batch
     * @param block the maximum number of records in a block
     */
    public BatchNormMaxPool(WinogradTileLayout grid, int channels, int blocks, int block) {
        int plane = grid.tiles() * block * channels;
        normalization = new BatchNormalization(channels, plane);
        order = new PooledLayoutConverter(grid, channels);
        chosen = new float[blocks][PooledLayoutConverter.PLACES][plane];
        gradients = new float[blocks][PooledLayoutConverter.PLACES][plane];
        pooled = new float[PooledLayoutConverter.PLACES][plane];
        taken = new float[plane];
    }

    /**
     * Returns the normalization, to be loaded before {@link #forward} and finished between {@link #gradient} and
     * {@link #backward}.
     */
    public BatchNormalization normalization() {
        return normalization;
    }

    /**
     * Pools a block's planes of {@code n} floats each.
     *
     * @param first row of the block's first record
     * @param rows pooled values in Keras' order, a row for each record of the batch
     */
    public void forward(int block, float[][] x, int first, int records, int n, float[] rows) {
        for (int place = 0; place < PooledLayoutConverter.PLACES; place++) {
            int corner = corner(place);
            FusedMaxPoolKernel.forward(
                    x[corner], x[corner + 1], x[corner + 4], x[corner + 5], normalization, chosen[block][place], n);
            normalization.apply(chosen[block][place], pooled[place], n);
        }
        order.toRows(pooled, first, records, rows);
    }

    /** Starts the gradients of a batch, before the first {@link #gradient}. */
    public void startGradient() {
        normalization.startGradient();
    }

    /**
     * Takes over the gradient of a block's pooled values, and adds it to the normalization's sums.
     *
     * @param rows gradients in Keras' order, a row for each record of the batch
     * @param first row of the block's first record
     */
    public void gradient(float[] rows, int block, int first, int records, int n) {
        order.toPlaces(rows, first, records, gradients[block]);
        for (int place = 0; place < PooledLayoutConverter.PLACES; place++) {
            normalization.addGradient(gradients[block][place], chosen[block][place], n);
        }
    }

    /** Overwrites a block's planes of rectified values with the gradient before the rectifier. */
    public void backward(int block, float[][] x, int n) {
        for (int place = 0; place < PooledLayoutConverter.PLACES; place++) {
            for (int k = 0; k < 4; k++) {
                float[] plane = x[corner(place) + k / 2 * 4 + k % 2];
                FusedMaxPoolKernel.backward(plane, chosen[block][place], gradients[block][place], taken, n);
                normalization.backward(taken, plane, n);
            }
        }
    }

    private static int corner(int place) {
        return place / 2 * 8 + place % 2 * 2;
    }
}
