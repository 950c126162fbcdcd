package dev.edl.runtime.zoo.internal.layers;

/**
 * 3 x 3 convolution of images of one channel, valid padding, with bias and ReLU.
 *
 * <p>It is one product of the matrix of all patches with the kernel; each patch ends with a 1 for the bias. Its outputs
 * are in the order of a {@link WinogradTileLayout}'s inputs.
 */
public final class PatchConvolution implements AutoCloseable {
    private static final int PATCH = 9;
    /** Number of floats in a row of the patch matrix: a patch and the 1 for the bias. */
    private static final int WIDTH = PATCH + 1;

    private final WinogradTileLayout grid;
    private final int filters;
    private final int imageWidth;
    private final NativeFloats patches;
    private final NativeFloats outputs;
    private final NativeFloats kernel;
    private final NativeFloats kernelGradient;
    private final MatrixProduct[] forward;
    private final MatrixProduct[] backward;
    /** Patches of each block, which {@link #backward} needs again. */
    private final float[][] patchBlocks;

    /**
     * Allocates buffers.
     *
     * @param blocks the maximum number of blocks in a batch
     * @param block the maximum number of records in a block
     */
    public PatchConvolution(WinogradTileLayout grid, int filters, int blocks, int block) {
        this.grid = grid;
        this.filters = filters;
        imageWidth = grid.inputWidth() + 2;
        int rows = WinogradTileLayout.PLANES * grid.inputCells() * block;
        patches = new NativeFloats(rows * WIDTH);
        outputs = new NativeFloats(rows * filters);
        kernel = new NativeFloats(WIDTH * filters);
        kernelGradient = new NativeFloats(WIDTH * filters);
        patchBlocks = new float[blocks][rows * WIDTH];
        forward = new MatrixProduct[block];
        backward = new MatrixProduct[block];
        MatrixStack w = kernel.matrices(1, WIDTH, filters);
        MatrixStack dw = kernelGradient.matrices(1, WIDTH, filters);
        for (int i = 0; i < block; i++) {
            int used = WinogradTileLayout.PLANES * grid.inputCells() * (i + 1);
            MatrixStack x = patches.matrices(1, used, WIDTH);
            MatrixStack y = outputs.matrices(1, used, filters);
            forward[i] = MatrixProduct.of(x, false, w, false, y, false);
            backward[i] = MatrixProduct.of(x, true, y, false, dw, true);
        }
    }

    /** Loads the parameters of a step: a kernel of [3, 3, 1, filters], directly followed by the bias. */
    public void load(float[] parameters, int offset) {
        kernel.put(parameters, offset, WIDTH * filters);
    }

    /**
     * Convolves the images of a block.
     *
     * @param images row-major images of the batch, one record after the other
     * @param first index of the block's first record in {@code images}
     * @param block the index of the block in the batch, from 0
     * @param y planes of the outputs, overwritten; 0 for cells outside the image
     */
    public void forward(float[] images, int first, int records, int block, float[][] y) {
        float[] matrix = patchBlocks[block];
        int imageSize = (grid.inputHeight() + 2) * imageWidth;
        int to = 0;
        for (int plane = 0; plane < WinogradTileLayout.PLANES; plane++) {
            for (int cell = 0; cell < grid.inputCells(); cell++) {
                int corner = grid.inputCorner(plane, cell, imageWidth);
                for (int record = first; record < first + records; record++) {
                    patch(images, record * imageSize + corner, corner >= 0, matrix, to);
                    to += WIDTH;
                }
            }
        }
        patches.put(matrix, 0, to);
        forward[records - 1].run();
        int each = grid.inputCells() * records * filters;
        for (int plane = 0; plane < WinogradTileLayout.PLANES; plane++) {
            outputs.getAt(plane * each, y[plane], each);
            Relu.apply(y[plane], each);
        }
    }

    private void patch(float[] images, int at, boolean inside, float[] matrix, int to) {
        for (int k = 0; k < PATCH; k++) {
            matrix[to + k] = inside ? images[at + k / 3 * imageWidth + k % 3] : 0;
        }
        matrix[to + PATCH] = inside ? 1 : 0;
    }

    /** Starts the gradient of a batch, before the first {@link #backward}. */
    public void startGradient() {
        kernelGradient.clear();
    }

    /**
     * Adds a block's part of the gradient of kernel and bias; call {@link #forward} for the same block first.
     *
     * @param y planes that {@link #forward} wrote
     * @param dy planes of the gradient of {@code y}; overwritten
     */
    public void backward(int block, int records, float[][] y, float[][] dy) {
        int each = grid.inputCells() * records * filters;
        for (int plane = 0; plane < WinogradTileLayout.PLANES; plane++) {
            Relu.backward(y[plane], dy[plane], each);
            outputs.putAt(plane * each, dy[plane], each);
        }
        patches.put(patchBlocks[block], 0, WinogradTileLayout.PLANES * grid.inputCells() * records * WIDTH);
        backward[records - 1].run();
    }

    /** Writes the gradient of kernel and bias, in the order of the parameters. */
    public void gradient(float[] gradient, int offset) {
        kernelGradient.get(gradient, offset, WIDTH * filters);
    }

    @Override
    public void close() {
        for (int i = 0; i < forward.length; i++) {
            forward[i].close();
            backward[i].close();
        }
        patches.close();
        outputs.close();
        kernel.close();
        kernelGradient.close();
    }
}
