package dev.edl.runtime.model.internal.layers;

/**
 * Row-major matrices of one shape that follow each other in native memory.
 *
 * @param memory where they are
 * @param offset the first one's first float
 * @param count how many
 * @param rows of each
 * @param columns of each
 */
record MatrixStack(NativeFloats memory, int offset, int count, int rows, int columns) {
    /** The stack of the same shape that comes this many matrices later. */
    MatrixStack after(int matrices) {
        return new MatrixStack(memory, offset(matrices), count, rows, columns);
    }

    /** Where one of the matrices starts. */
    int offset(int matrix) {
        return offset + matrix * rows * columns;
    }
}
