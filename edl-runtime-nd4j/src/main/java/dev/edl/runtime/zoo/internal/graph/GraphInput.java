package dev.edl.runtime.zoo.internal.graph;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.nd4j.linalg.api.buffer.DataType;

/** Placeholder of a graph whose first dimension is the record. */
record GraphInput(String name, DataType type, List<Long> recordShape) {
    /** Returns the number of elements that the placeholder has for one record. */
    int width() {
        return Math.toIntExact(recordShape.stream().reduce(1L, Math::multiplyExact));
    }

    /** Returns the placeholder's shape for a number of records. */
    long[] shape(int records) {
        return LongStream.concat(LongStream.of(records), recordShape.stream().mapToLong(d -> d))
                .toArray();
    }

    /** Returns, for example, {@code FLOAT [-1, 10]}. */
    @Override
    public String toString() {
        return type + " " + Arrays.toString(shape(-1));
    }
}
