package dev.edl.runtime.model;

import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.CustomOp;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.api.ops.OpContext;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A matrix product on fixed arrays, prepared once and run at each step.
 *
 * <p>It is ND4J's own {@code matmul} operation with a context that is kept: preparing one for each call costs more than
 * the product itself on small layers, and the {@code mmul} methods compute in column-major order and copy.
 */
final class MatrixProduct implements AutoCloseable {
    private final CustomOp operation;
    private final OpContext context;

    /** {@code out = a * b}, each operand transposed first where asked. */
    MatrixProduct(INDArray a, boolean transposeA, INDArray b, boolean transposeB, INDArray out) {
        operation = DynamicCustomOp.builder("matmul").build();
        context = Nd4j.getExecutioner().buildContext();
        context.setInputArrays(a, b);
        context.setOutputArrays(out);
        context.setIArguments(transposeA ? 1 : 0, transposeB ? 1 : 0, 0);
    }

    void run() {
        Nd4j.getExecutioner().exec(operation, context);
    }

    @Override
    public void close() {
        try {
            context.close();
        } catch (Exception e) {
            throw new IllegalStateException("ND4J could not free the context of a matrix product", e);
        }
    }
}
