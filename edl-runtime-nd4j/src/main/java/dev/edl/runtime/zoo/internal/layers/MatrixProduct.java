package dev.edl.runtime.zoo.internal.layers;

/**
 * Products of matrices on fixed native memory, prepared once and run at each step; {@link #run} writes the last
 * operand.
 *
 * <p>{@link CblasProduct} directly calls the BLAS of ND4J's CPU backend, which costs a tenth of a microsecond. If that
 * BLAS is not on the class path, {@link Nd4jProduct} runs ND4J's {@code matmul} operation at 5 microseconds a product.
 * A session's products belong to one thread.
 */
abstract class MatrixProduct implements AutoCloseable {
    /**
     * Returns the product {@code out[i] = a[i] b[i]}, or {@code out[i] += a[i] b[i]}, for each matrix i of the stacks;
     * {@link #run} computes it.
     *
     * @param transposeA whether the matrices of {@code a} are transposed in memory
     * @param transposeB whether the matrices of {@code b} are transposed in memory
     * @param add whether to add to the content of {@code out}
     */
    static MatrixProduct of(
            MatrixStack a, boolean transposeA, MatrixStack b, boolean transposeB, MatrixStack out, boolean add) {
        return CblasProduct.AVAILABLE
                ? new CblasProduct(a, transposeA, b, transposeB, out, add)
                : new Nd4jProduct(a, transposeA, b, transposeB, out, add);
    }

    abstract void run();

    @Override
    public abstract void close();
}
