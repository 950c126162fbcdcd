package dev.edl.runtime.model;

import static dev.edl.runtime.model.WinogradMatrices.INPUTS;
import static dev.edl.runtime.model.WinogradMatrices.INPUTS_TRANSPOSED;
import static dev.edl.runtime.model.WinogradMatrices.OUTPUTS;
import static dev.edl.runtime.model.WinogradMatrices.OUTPUTS_TRANSPOSED;
import static dev.edl.runtime.model.WinogradMatrices.PRODUCTS;
import static dev.edl.runtime.model.WinogradMatrices.TILE;

import java.util.Arrays;

/**
 * A 3 x 3 convolution (correlation, as deep learning has it) with valid padding, bias and ReLU, by minimal filtering: see
 * {@link WinogradMatrices}. Backward is the transpose of forward, step by step.
 *
 * <p>Each block of records goes through six slices, one for each row of a tile's 6 x 6 products, so that what a slice
 * touches stays in the cache of the core. Images lie as {@link TileGrid} says.
 */
final class WinogradConvolution implements AutoCloseable {
    private final TileGrid grid;
    private final int channels;
    private final int filters;
    private final WinogradKernel kernel;
    private final NativeFloats factorSlice;
    private final NativeFloats productSlice;
    /** By records in the block and slice. */
    private final SliceProducts[][] products;
    /** B' d B of all records: by block and slice, six matrices of [tiles, records][channels]. */
    private final float[] factors;
    /** One slice: by plane column, [tile row][cell column][record][channel]. */
    private final float[] rowFactors;
    /** One slice: by product column, [tile][record][filter]. */
    private final float[] slice;
    /** By slice and output column, [tile][record][filter]. */
    private final float[] columnOutputs;
    /** By slice and plane column, [tile row][cell column][record][channel]. */
    private final float[] columnInputs;
    /** The bias, once for each tile and record of a block. */
    private final float[] biases;

    /**
     * @param capacity the most records
     * @param block the most records of a block; must divide all but the last one
     */
    WinogradConvolution(TileGrid grid, int channels, int filters, int capacity, int block) {
        this.grid = grid;
        this.channels = channels;
        this.filters = filters;
        int inputs = grid.tiles() * block * channels;
        int outputs = grid.tiles() * block * filters;
        int rows = grid.rows() * (grid.columns() + 1) * block * channels;
        kernel = new WinogradKernel(channels, filters);
        factorSlice = new NativeFloats(PRODUCTS * inputs);
        productSlice = new NativeFloats(PRODUCTS * outputs);
        products = new SliceProducts[block + 1][];
        factors = new float[Math.multiplyExact(PRODUCTS * PRODUCTS * grid.tiles() * channels, capacity)];
        rowFactors = new float[TILE * rows];
        slice = new float[PRODUCTS * Math.max(inputs, outputs)];
        columnOutputs = new float[PRODUCTS * TILE * outputs];
        columnInputs = new float[PRODUCTS * TILE * rows];
        biases = new float[outputs];
    }

    /** Takes the parameters of a step: a kernel of [3, 3, channels, filters] and a bias for each filter. */
    void load(float[] parameters, int kernelOffset, int biasOffset) {
        kernel.load(parameters, kernelOffset);
        for (int i = 0; i < biases.length; i += filters) {
            System.arraycopy(parameters, biasOffset, biases, i, filters);
        }
    }

    /**
     * Convolves a block.
     *
     * @param first the block's first record
     * @param records how many it has
     * @param x the inputs' 16 planes, one behind the other
     * @param y the outputs' 16 planes, overwritten from {@code at}
     */
    void forward(int first, int records, float[] x, int from, float[][] y, int at) {
        int row = (grid.columns() + 1) * records * channels;
        int plane = (grid.rows() + 1) * row;
        int in = grid.tiles() * records * channels;
        int out = grid.tiles() * records * filters;
        int run = grid.columns() * records * channels;
        for (int u = 0; u < PRODUCTS; u++) {
            for (int rx = 0; rx < TILE; rx++) {
                Combination.wrapped(
                        rowFactors,
                        rx * grid.rows() * row,
                        x,
                        from + rx * plane,
                        TILE * plane,
                        from + rx * plane + row,
                        INPUTS,
                        u * PRODUCTS,
                        grid.rows() * row);
            }
            int slot = factorsOf(first, records, u);
            for (int v = 0; v < PRODUCTS; v++) {
                for (int ty = 0; ty < grid.rows(); ty++) {
                    Combination.wrapped(
                            factors,
                            slot + v * in + ty * run,
                            rowFactors,
                            ty * row,
                            grid.rows() * row,
                            ty * row + records * channels,
                            INPUTS,
                            v * PRODUCTS,
                            run);
                }
            }
            factorSlice.put(factors, slot, PRODUCTS * in);
            products(records)[u].forward().run();
            productSlice.get(slice, 0, PRODUCTS * out);
            for (int j = 0; j < TILE; j++) {
                Combination.six(columnOutputs, (u * TILE + j) * out, slice, 0, out, OUTPUTS, j * PRODUCTS, out);
            }
        }
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < TILE; j++) {
                Combination.sixBiasRelu(
                        y[i * TILE + j], at, columnOutputs, j * out, TILE * out, OUTPUTS, i * PRODUCTS, biases, out);
            }
        }
    }

    /** Prepares for the blocks of one backward pass. */
    void startGradient() {
        kernel.startGradient();
    }

    /**
     * Adds a block's part of the kernel's gradient, and writes the gradient by its inputs; after {@link #forward} of the
     * same block.
     *
     * @param dz the gradient by the outputs before the ReLU, in 16 planes from {@code from}
     * @param dx the gradient by the inputs, 16 planes one behind the other, overwritten from {@code at}; 0 for cells
     *     outside the image
     */
    void backward(int first, int records, float[][] dz, int from, float[] dx, int at) {
        int row = (grid.columns() + 1) * records * channels;
        int plane = (grid.rows() + 1) * row;
        int in = grid.tiles() * records * channels;
        int out = grid.tiles() * records * filters;
        for (int u = 0; u < PRODUCTS; u++) {
            for (int j = 0; j < TILE; j++) {
                Combination.fourPlanes(columnOutputs, j * out, dz, j, from, OUTPUTS_TRANSPOSED, u * TILE, out);
            }
            for (int v = 0; v < PRODUCTS; v++) {
                Combination.four(slice, v * out, columnOutputs, 0, out, OUTPUTS_TRANSPOSED, v * TILE, out);
            }
            productSlice.put(slice, 0, PRODUCTS * out);
            factorSlice.put(factors, factorsOf(first, records, u), PRODUCTS * in);
            products(records)[u].kernelGradient().run();
            products(records)[u].inputGradient().run();
            factorSlice.get(slice, 0, PRODUCTS * in);
            addColumns(u, records, row, in);
        }
        for (int ry = 0; ry < TILE; ry++) {
            for (int rx = 0; rx < TILE; rx++) {
                addRows(ry, rx, row, dx, at + (ry * TILE + rx) * plane);
            }
        }
    }

    /** Writes the kernel's gradient, [3, 3, channels, filters]. */
    void gradient(float[] gradient, int offset) {
        kernel.gradient(gradient, offset);
    }

    /** One slice of B dV: a tile's inputs 4 and 5 are inputs 0 and 1 of the tile to its right. */
    private void addColumns(int u, int records, int row, int in) {
        int run = grid.columns() * records * channels;
        for (int rx = 0; rx < TILE; rx++) {
            for (int ty = 0; ty < grid.rows(); ty++) {
                int to = ((u * TILE + rx) * grid.rows() + ty) * row;
                Combination.six(columnInputs, to, slice, ty * run, in, INPUTS_TRANSPOSED, rx * PRODUCTS, run);
                Arrays.fill(columnInputs, to + run, to + row, 0);
                if (rx < PRODUCTS - TILE) {
                    Combination.addSix(
                            columnInputs,
                            to + records * channels,
                            slice,
                            ty * run,
                            in,
                            INPUTS_TRANSPOSED,
                            (rx + TILE) * PRODUCTS,
                            run);
                }
            }
        }
    }

    /** One plane of (B dV) B': a tile's inputs 4 and 5 are inputs 0 and 1 of the tile below. */
    private void addRows(int ry, int rx, int row, float[] dx, int to) {
        int n = grid.rows() * row;
        Combination.six(dx, to, columnInputs, rx * n, TILE * n, INPUTS_TRANSPOSED, ry * PRODUCTS, n);
        Arrays.fill(dx, to + n, to + n + row, 0);
        if (ry < PRODUCTS - TILE) {
            Combination.addSix(
                    dx, to + row, columnInputs, rx * n, TILE * n, INPUTS_TRANSPOSED, (ry + TILE) * PRODUCTS, n);
        }
    }

    private int factorsOf(int first, int records, int slice) {
        return (first * PRODUCTS + slice * records) * PRODUCTS * grid.tiles() * channels;
    }

    private SliceProducts[] products(int records) {
        SliceProducts[] found = products[records];
        if (found == null) {
            int rows = grid.tiles() * records;
            found = new SliceProducts[PRODUCTS];
            MatrixStack v = factorSlice.matrices(PRODUCTS, rows, channels);
            MatrixStack m = productSlice.matrices(PRODUCTS, rows, filters);
            for (int u = 0; u < PRODUCTS; u++) {
                MatrixStack w = kernel.factors(u);
                found[u] = new SliceProducts(
                        MatrixProduct.of(v, false, w, false, m, false),
                        MatrixProduct.of(v, true, m, false, kernel.factorGradients(u), true),
                        MatrixProduct.of(m, false, w, true, v, false));
            }
            products[records] = found;
        }
        return found;
    }

    @Override
    public void close() {
        for (SliceProducts[] ofSize : products) {
            if (ofSize != null) {
                for (SliceProducts slices : ofSize) {
                    slices.forward().close();
                    slices.kernelGradient().close();
                    slices.inputGradient().close();
                }
            }
        }
        kernel.close();
        factorSlice.close();
        productSlice.close();
    }

    /** The gradient by the inputs takes the place of the factors. */
    private record SliceProducts(MatrixProduct forward, MatrixProduct kernelGradient, MatrixProduct inputGradient) {}
}
