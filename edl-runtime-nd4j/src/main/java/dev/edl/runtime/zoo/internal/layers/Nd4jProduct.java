package dev.edl.runtime.zoo.internal.layers;

import java.util.stream.IntStream;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.CustomOp;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.api.ops.OpContext;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Matrix products by ND4J's own {@code matmul} operation, with contexts that are reused.
 *
 * <p>Preparing a context for each call costs more than a small product. The {@code mmul} methods compute in
 * column-major order and copy.
 */
final class Nd4jProduct extends MatrixProduct {
    private final CustomOp operation = DynamicCustomOp.builder("matmul").build();
    private final OpContext[] contexts;

    Nd4jProduct(MatrixStack a, boolean transposeA, MatrixStack b, boolean transposeB, MatrixStack out, boolean add) {
        contexts = IntStream.range(0, out.count())
                .mapToObj(i -> {
                    OpContext context = Nd4j.getExecutioner().buildContext();
                    context.setInputArrays(view(a, i), view(b, i));
                    context.setOutputArrays(view(out, i));
                    context.setIArguments(transposeA ? 1 : 0, transposeB ? 1 : 0, 0);
                    context.setTArguments(1, add ? 1 : 0);
                    return context;
                })
                .toArray(OpContext[]::new);
    }

    @Override
    void run() {
        for (OpContext context : contexts) {
            Nd4j.getExecutioner().exec(operation, context);
        }
    }

    @Override
    public void close() {
        for (OpContext context : contexts) {
            try {
                context.close();
            } catch (Exception e) {
                throw new IllegalStateException("ND4J could not free the context of a matrix product", e);
            }
        }
    }

    private static INDArray view(MatrixStack stack, int matrix) {
        return stack.memory().view(stack.offset(matrix), stack.rows(), stack.columns());
    }
}
