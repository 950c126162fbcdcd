package dev.edl.runtime.zoo.internal.layers;

/**
 * Consecutive row-major matrices of one shape in native memory.
 *
 * @param memory native memory that contains the matrices
 * @param offset the index of the first matrix's first float
 * @param count the number of matrices
 * @param rows number of rows of each matrix
 * @param columns number of columns of each matrix
 */
record MatrixStack(NativeFloats memory, int offset, int count, int rows, int columns) {
    /** Returns the stack of the same shape and count that starts {@code matrices} matrices later in the memory. */
    MatrixStack after(int matrices) {
        return new MatrixStack(memory, offset(matrices), count, rows, columns);
    }

    /** Returns the index, in the memory, of a matrix's first float. */
    int offset(int matrix) {
        return offset + matrix * rows * columns;
    }
}
