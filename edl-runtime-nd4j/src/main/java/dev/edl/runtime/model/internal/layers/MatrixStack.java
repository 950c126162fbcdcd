package dev.edl.runtime.model.internal.layers;

/**
 * Consecutive row-major matrices of one shape in native memory.
 *
 * @param memory the memory
 * @param offset the index of the first matrix's first float
 * @param count the number of matrices
 * @param rows of each
 * @param columns of each
 */
record MatrixStack(NativeFloats memory, int offset, int count, int rows, int columns) {
    /** Returns the stack of the same shape that starts this many matrices later. */
    MatrixStack after(int matrices) {
        return new MatrixStack(memory, offset(matrices), count, rows, columns);
    }

    /** Returns the offset of a matrix. */
    int offset(int matrix) {
        return offset + matrix * rows * columns;
    }
}
