package dev.edl.runtime.model;

import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A row-major matrix of floats in native memory that copies from and to Java arrays at memory speed.
 *
 * <p>The pointer does not keep the memory alive, the array does: hence both live and die together here.
 */
final class NativeMatrix implements AutoCloseable {
    private final INDArray array;
    private final FloatPointer memory;
    private final int columns;

    NativeMatrix(int rows, int columns) {
        this.columns = columns;
        // The caller's thread may have a workspace open, whose memory is reused when that ends.
        try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
            array = Nd4j.create(DataType.FLOAT, new long[] {rows, columns}, 'c');
        }
        memory = (FloatPointer) array.data().addressPointer();
    }

    /** The matrix itself. */
    INDArray whole() {
        return array;
    }

    /** The first rows as an array that shares this memory. */
    INDArray rows(int rows) {
        return rows == array.rows()
                ? array
                : Nd4j.create(array.data(), new long[] {rows, columns}, new long[] {columns, 1}, 0, 'c');
    }

    /** Copies whole rows in. */
    void put(float[] from, int offset, int rows) {
        memory.put(from, offset, rows * columns);
    }

    /** Copies whole rows out. */
    void get(float[] to, int offset, int rows) {
        memory.get(to, offset, rows * columns);
    }

    @Override
    public void close() {
        array.close();
    }
}
