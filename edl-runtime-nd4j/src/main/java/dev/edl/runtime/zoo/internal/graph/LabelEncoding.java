package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.model.Batch;
import java.util.Arrays;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;

/** Form of a record's labels in a graph. */
public enum LabelEncoding {
    /** A row of zeros with a one at the class. */
    ONE_HOT("oneHot(%d)", "FLOAT [-1, %d]") {
        @Override
        boolean suits(DataType type, List<Long> shape, int width) {
            return type == DataType.FLOAT && shape.equals(List.of((long) width));
        }

        @Override
        void write(Batch batch, int classes, float[] into) {
            Arrays.fill(into, 0, batch.size() * classes, 0f);
            for (int row = 0; row < batch.size(); row++) {
                into[row * classes + batch.classLabel(row, classes)] = 1;
            }
        }
    },

    /** The class index. */
    INDEX("indices(%d)", "INT32, INT64 or FLOAT, [-1] or [-1, 1]") {
        @Override
        boolean suits(DataType type, List<Long> shape, int classes) {
            return (type == DataType.INT32 || type == DataType.INT64 || type == DataType.FLOAT) && isOne(shape);
        }

        @Override
        void write(Batch batch, int classes, float[] into) {
            for (int row = 0; row < batch.size(); row++) {
                into[row] = batch.classLabel(row, classes);
            }
        }
    },

    /** The probability of class 1; for a known class 0 or 1. */
    PROBABILITY("probability()", "FLOAT, [-1] or [-1, 1]") {
        @Override
        boolean suits(DataType type, List<Long> shape, int one) {
            return type == DataType.FLOAT && isOne(shape);
        }

        @Override
        void write(Batch batch, int one, float[] into) {
            for (int row = 0; row < batch.size(); row++) {
                float label = batch.labels()[row];
                if (!(label >= 0 && label <= 1)) {
                    throw new IllegalArgumentException((batch.origin().isEmpty() ? "batch" : "batch " + batch.origin())
                            + ", row " + row
                            + ": the label must be a probability from 0 to 1, was " + label);
                }
                into[row] = label;
            }
        }
    },

    /** Numbers, unchanged from the data. */
    VALUES("values(%d)", "FLOAT [-1, %d]") {
        @Override
        boolean suits(DataType type, List<Long> shape, int width) {
            return type == DataType.FLOAT && (shape.equals(List.of((long) width)) || (width == 1 && isOne(shape)));
        }

        @Override
        void write(Batch batch, int width, float[] into) {
            System.arraycopy(batch.labels(), 0, into, 0, batch.size() * width);
        }
    };

    private final String call;
    private final String placeholder;

    LabelEncoding(String call, String placeholder) {
        this.call = call;
        this.placeholder = placeholder;
    }

    /** Returns whether a placeholder of this type and shape, without the record dimension, can take the labels. */
    abstract boolean suits(DataType type, List<Long> shape, int width);

    /** Writes the labels of a batch into an array in this form, row-major. */
    abstract void write(Batch batch, int width, float[] into);

    /** Returns the number of label floats in one record of the data. */
    public int labels(int width) {
        return this == VALUES ? width : 1;
    }

    /** Returns the call of the model's builder that sets this form, for example {@code oneHot(10)}. */
    String call(int width) {
        return String.format(call, width);
    }

    /** Returns the type and shape that the placeholder must have, for example {@code FLOAT [-1, 10]}. */
    String placeholder(int width) {
        return String.format(placeholder, width);
    }

    private static boolean isOne(List<Long> shape) {
        return shape.isEmpty() || shape.equals(List.of(1L));
    }
}
