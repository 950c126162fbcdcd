package dev.edl.runtime.zoo.internal.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.nd4j.autodiff.samediff.internal.memory.AbstractMemoryMgr;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.shape.LongShapeDescriptor;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Pool of the arrays of a graph's gradient function; arrays of one step are reused in the next.
 *
 * <p>SameDiff would allocate each array again in each step, which costs a sixth of a small graph's time. Within a step
 * no array is given twice, so nothing that the graph still reads is overwritten. The results of a step must be read
 * before the next one begins.
 */
final class ArrayPool extends AbstractMemoryMgr {
    private final Map<Kind, Deque<INDArray>> free = new HashMap<>();
    private final List<INDArray> given = new ArrayList<>();
    private long records;

    /** Returns the arrays of the last step to the pool. Frees arrays that were for another number of records. */
    void begin(int newRecords) {
        if (newRecords != records) {
            close();
            records = newRecords;
        }
        for (INDArray array : given) {
            if (!array.wasClosed()) {
                free.computeIfAbsent(
                                Kind.of(array.dataType(), array.ordering(), array.shape()), k -> new ArrayDeque<>())
                        .add(array);
            }
        }
        given.clear();
    }

    @Override
    public INDArray allocate(boolean detached, DataType type, long... shape) {
        Deque<INDArray> alike = free.get(Kind.of(type, 'c', shape));
        INDArray array = alike == null || alike.isEmpty()
                ? Nd4j.createUninitializedDetached(type, shape)
                : Objects.requireNonNull(alike.poll());
        given.add(array);
        return array;
    }

    @Override
    public INDArray allocate(boolean detached, LongShapeDescriptor descriptor) {
        return descriptor.isEmpty()
                ? Nd4j.create(descriptor)
                : allocate(detached, descriptor.dataType(), descriptor.getShape());
    }

    /** Does nothing: arrays return at the beginning of the next step. */
    @Override
    public void release(INDArray array) {}

    /** Frees all arrays. */
    @Override
    public void close() {
        free.values().forEach(alike -> alike.forEach(INDArray::close));
        free.clear();
        given.stream().filter(array -> !array.wasClosed()).forEach(INDArray::close);
        given.clear();
    }

    private record Kind(DataType type, char order, List<Long> shape) {
        static Kind of(DataType type, char order, long... shape) {
            return new Kind(type, order, LongStream.of(shape).boxed().toList());
        }
    }
}
