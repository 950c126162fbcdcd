package dev.edl.runtime.zoo.internal.layers;

import dev.edl.runtime.model.Batch;
import java.nio.FloatBuffer;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Floats in native memory, initially zero, that are copied from and to Java arrays at memory speed.
 *
 * <p>The array keeps the memory alive, the pointer does not. This object therefore holds both.
 */
final class NativeFloats implements AutoCloseable {
    private final INDArray array;
    private final FloatPointer memory;
    private final FloatBuffer buffer;

    NativeFloats(int length) {
        // The caller's thread may have an open workspace, whose memory is reused when it ends.
        try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
            array = Nd4j.create(DataType.FLOAT, new long[] {length}, 'c');
        }
        memory = (FloatPointer) array.data().addressPointer();
        buffer = array.data().asNioFloat();
    }

    /** Returns a stack of matrices at the start of this memory. */
    MatrixStack matrices(int count, int rows, int columns) {
        return new MatrixStack(this, 0, count, rows, columns);
    }

    /** Returns a row-major matrix that shares this memory from an offset on. */
    INDArray view(long offset, long rows, long columns) {
        return Nd4j.create(array.data(), new long[] {rows, columns}, new long[] {columns, 1}, offset, 'c');
    }

    /** Returns a pointer to the floats from an offset. */
    FloatPointer pointer(long offset) {
        return memory.getPointer(offset);
    }

    /** Copies floats of an array to the start of this memory. */
    void put(float[] from, int offset, int length) {
        memory.put(from, offset, length);
    }

    /** Copies the features of a batch to the start of this memory. */
    void put(Batch batch) {
        batch.copyFeatures(buffer.clear());
    }

    /** Copies the first floats of an array to an offset of this memory. */
    void putAt(int to, float[] from, int length) {
        putAt(to, from, 0, length);
    }

    /** Copies floats of an array to an offset of this memory. */
    void putAt(int to, float[] from, int offset, int length) {
        memory.position(to).put(from, offset, length);
        memory.position(0);
    }

    /** Copies floats from an offset of this memory to the start of an array. */
    void getAt(int from, float[] to, int length) {
        memory.position(from).get(to, 0, length);
        memory.position(0);
    }

    /** Copies floats from the start of this memory to an array. */
    void get(float[] to, int offset, int length) {
        memory.get(to, offset, length);
    }

    /** Sets all floats to 0. */
    void clear() {
        FloatPointer.memset(memory, 0, array.length() * Float.BYTES);
    }

    @Override
    public void close() {
        array.close();
    }
}
