package dev.edl.runtime.model.internal.layers;

/**
 * Products of matrices on fixed native memory, prepared once and run at each step; when {@link #run} returns, the result
 * stands in the last operand.
 *
 * <p>Two ways lead there. {@link CblasProduct} calls the BLAS that comes with ND4J's CPU backend itself, which costs a
 * tenth of a microsecond. Where that is not on the class path, {@link Nd4jProduct} runs ND4J's {@code matmul} operation
 * at 5 microseconds a product. A session's products belong to one thread.
 */
abstract class MatrixProduct implements AutoCloseable {
    /**
     * {@code out[i] = a[i] b[i]}, or {@code out[i] += a[i] b[i]}, for each place of the stacks.
     *
     * @param transposeA whether the matrices of {@code a} stand transposed in memory
     * @param transposeB the same of {@code b}
     * @param add whether to add to what is in {@code out}
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
