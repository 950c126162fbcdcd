package dev.edl.runtime.zoo.internal.layers;

import static dev.edl.runtime.zoo.internal.layers.Winograd.PRODUCTS;
import static dev.edl.runtime.zoo.internal.layers.Winograd.TILE;

/**
 * 3 x 3 convolution (a correlation, as in deep learning) with valid padding, by minimal filtering: see
 * {@link Winograd}.
 *
 * <p>Backward is the transpose of forward, step by step. Images have the layout of {@link WinogradTileLayout}.
 *
 * <p>Between the transforms there are 36 matrix products for each block of records. They run one by one in the same
 * native memory, and rows of six in the same Java arrays, so that the working set stays in the core's cache.
 */
public final class WinogradConvolution implements AutoCloseable {
    private final WinogradTileLayout grid;
    private final int channels;
    private final int filters;
    private final WinogradKernel kernel;
    private final NativeFloats factorMatrix;
    private final NativeFloats productMatrix;
    /** Matrix products, by number of records in the block and index among the 36. */
    private final PlaceProducts[][] products;
    /** Factors of all records, which {@link #backward} needs again, by block and index among the 36. */
    private final float[] factors;
    /** Inputs [tile][record][channel], by position among a tile's 6 x 6 inputs. */
    private final float[][] inputs;
    /** Factors after the first half of a transform, by product row and input column. */
    private final float[][] rows;
    /** By product column, for one product row: factors. */
    private final float[][] factorColumns;
    /** By product column, for one product row: products, [tile][record][filter]. */
    private final float[][] productColumns;
    /** Outputs after the first half of the inverse transform, by product row and output column. */
    private final float[][] outputColumns;

    /**
     * Allocates buffers.
     *
     * @param capacity the maximum number of records
     * @param block the maximum number of records in a block
     */
    public WinogradConvolution(WinogradTileLayout grid, int channels, int filters, int capacity, int block) {
        this.grid = grid;
        this.channels = channels;
        this.filters = filters;
        int in = grid.tiles() * block * channels;
        int out = grid.tiles() * block * filters;
        kernel = new WinogradKernel(channels, filters);
        factorMatrix = new NativeFloats(in);
        productMatrix = new NativeFloats(out);
        products = new PlaceProducts[block + 1][];
        for (int records = 0; records <= block; records++) {
            products[records] = products(records);
        }
        factors = new float[Math.multiplyExact(PRODUCTS * PRODUCTS * grid.tiles() * channels, capacity)];
        inputs = new float[PRODUCTS * PRODUCTS][in];
        rows = new float[PRODUCTS * PRODUCTS][in];
        factorColumns = new float[PRODUCTS][in];
        productColumns = new float[PRODUCTS][out];
        outputColumns = new float[PRODUCTS * TILE][out];
    }

    /** Loads the kernel of a step, [3, 3, channels, filters]. */
    public void load(float[] parameters, int offset) {
        kernel.load(parameters, offset);
    }

    /**
     * Convolves the images of a block.
     *
     * @param first index of the block's first record in the batch
     * @param records number of records in the block
     * @param x planes of the inputs
     * @param y planes of the outputs, overwritten
     */
    public void forward(int first, int records, float[][] x, float[][] y) {
        int in = grid.tiles() * records * channels;
        int out = grid.tiles() * records * filters;
        grid.gather(x, records * channels, inputs);
        for (int j = 0; j < PRODUCTS; j++) {
            Winograd.factors(inputs, j, PRODUCTS, rows, j, PRODUCTS, in);
        }
        for (int u = 0; u < PRODUCTS; u++) {
            Winograd.factors(rows, u * PRODUCTS, 1, factorColumns, 0, 1, in);
            for (int v = 0; v < PRODUCTS; v++) {
                factorMatrix.put(factorColumns[v], 0, in);
                factorMatrix.get(factors, factorsOf(first, records, u, v), in);
                products[records][u * PRODUCTS + v].forward().run();
                productMatrix.get(productColumns[v], 0, out);
            }
            Winograd.outputs(productColumns, 0, 1, outputColumns, u * TILE, 1, out);
        }
        for (int j = 0; j < TILE; j++) {
            Winograd.outputs(outputColumns, j, TILE, y, j, TILE, out);
        }
    }

    /** Starts the kernel's gradient for a batch, before the first {@link #backward}. */
    public void startGradient() {
        kernel.startGradient();
    }

    /**
     * Adds a block's part of the kernel's gradient, and writes the gradient of its inputs; call {@link #forward} for
     * the same block first.
     *
     * @param dy the gradient of the outputs, in planes
     * @param dx the gradient of the inputs, in planes, overwritten; 0 for cells outside the image
     */
    public void backward(int first, int records, float[][] dy, float[][] dx) {
        int in = grid.tiles() * records * channels;
        int out = grid.tiles() * records * filters;
        for (int j = 0; j < TILE; j++) {
            Winograd.productGradients(dy, j, TILE, outputColumns, j, TILE, out);
        }
        for (int u = 0; u < PRODUCTS; u++) {
            Winograd.productGradients(outputColumns, u * TILE, 1, productColumns, 0, 1, out);
            for (int v = 0; v < PRODUCTS; v++) {
                productMatrix.put(productColumns[v], 0, out);
                factorMatrix.put(factors, factorsOf(first, records, u, v), in);
                products[records][u * PRODUCTS + v].kernelGradient().run();
                products[records][u * PRODUCTS + v].inputGradient().run();
                factorMatrix.get(factorColumns[v], 0, in);
            }
            Winograd.inputGradients(factorColumns, 0, 1, rows, u * PRODUCTS, 1, in);
        }
        for (int j = 0; j < PRODUCTS; j++) {
            Winograd.inputGradients(rows, j, PRODUCTS, inputs, j, PRODUCTS, in);
        }
        grid.scatter(inputs, records * channels, dx);
    }

    /** Writes the kernel's gradient, [3, 3, channels, filters]. */
    public void gradient(float[] gradient, int offset) {
        kernel.gradient(gradient, offset);
    }

    private int factorsOf(int first, int records, int u, int v) {
        return (first * PRODUCTS * PRODUCTS + records * (u * PRODUCTS + v)) * grid.tiles() * channels;
    }

    private PlaceProducts[] products(int records) {
        PlaceProducts[] places = new PlaceProducts[records == 0 ? 0 : PRODUCTS * PRODUCTS];
        MatrixStack v = factorMatrix.matrices(1, grid.tiles() * records, channels);
        MatrixStack m = productMatrix.matrices(1, grid.tiles() * records, filters);
        for (int place = 0; place < places.length; place++) {
            MatrixStack w = kernel.factors(place);
            places[place] = new PlaceProducts(
                    MatrixProduct.of(v, false, w, false, m, false),
                    MatrixProduct.of(v, true, m, false, kernel.factorGradients(place), true),
                    MatrixProduct.of(m, false, w, true, v, false));
        }
        return places;
    }

    @Override
    public void close() {
        for (PlaceProducts[] places : products) {
            for (PlaceProducts place : places) {
                place.forward().close();
                place.kernelGradient().close();
                place.inputGradient().close();
            }
        }
        kernel.close();
        factorMatrix.close();
        productMatrix.close();
    }

    /** Products for one of the 36 positions; the gradient of the factors overwrites the factors. */
    private record PlaceProducts(MatrixProduct forward, MatrixProduct kernelGradient, MatrixProduct inputGradient) {}
}
