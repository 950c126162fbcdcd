package dev.edl.runtime.zoo.internal.layers;

import static org.bytedeco.openblas.global.openblas.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas.CblasTrans;
import static org.bytedeco.openblas.global.openblas.cblas_sgemm;

import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Matrix products by direct calls of {@code cblas_sgemm}.
 *
 * <p>OpenBLAS always adds to the result, after multiplying it by beta. With beta 0 that takes a fifth of a product's
 * time. Setting the memory to 0 and beta to 1 has the same effect and costs almost nothing.
 */
final class CblasProduct extends MatrixProduct {
    /** Whether the BLAS is available: it comes with {@code nd4j-native}, but not with every backend of ND4J. */
    static final boolean AVAILABLE = available();

    private final FloatPointer[] a;
    private final FloatPointer[] b;
    private final FloatPointer[] out;
    private final int transA;
    private final int transB;
    private final int rows;
    private final int columns;
    private final int inner;
    private final int strideA;
    private final int strideB;
    private final boolean add;
    private final long bytes;

    CblasProduct(MatrixStack a, boolean transposeA, MatrixStack b, boolean transposeB, MatrixStack out, boolean add) {
        this.a = pointers(a);
        this.b = pointers(b);
        this.out = pointers(out);
        transA = transposeA ? CblasTrans : CblasNoTrans;
        transB = transposeB ? CblasTrans : CblasNoTrans;
        rows = out.rows();
        columns = out.columns();
        inner = transposeA ? a.rows() : a.columns();
        strideA = a.columns();
        strideB = b.columns();
        this.add = add;
        bytes = (long) rows * columns * Float.BYTES;
    }

    @Override
    void run() {
        for (int i = 0; i < out.length; i++) {
            if (!add) {
                Pointer.memset(out[i], 0, bytes);
            }
            cblas_sgemm(
                    CblasRowMajor,
                    transA,
                    transB,
                    rows,
                    columns,
                    inner,
                    1f,
                    a[i],
                    strideA,
                    b[i],
                    strideB,
                    1f,
                    out[i],
                    columns);
        }
    }

    /** Does nothing, because the memory belongs to the matrix stacks. */
    @Override
    public void close() {}

    private static FloatPointer[] pointers(MatrixStack stack) {
        return IntStream.range(0, stack.count())
                .mapToObj(i -> stack.memory().pointer(stack.offset(i)))
                .toArray(FloatPointer[]::new);
    }

    private static boolean available() {
        if (!Nd4j.getEnvironment().isCPU()) {
            return false;
        }
        try {
            Class.forName("org.bytedeco.openblas.global.openblas");
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
