package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.FloatPointer;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Inputs of a session's graph: arrays allocated once for the largest batch. A smaller batch uses their first rows. */
final class GraphInputArrays implements AutoCloseable {
    private final GraphSpec spec;
    private final @Nullable Slot features;
    private final List<Slot> tables = new ArrayList<>();
    private final Slot labels;
    private final Map<String, INDArray> known = new HashMap<>();
    private final Map<String, INDArray> all = new HashMap<>();
    private int records = -1;

    GraphInputArrays(GraphSpec spec, int capacity) {
        this.spec = spec;
        features = spec.features() == null ? null : new Slot(spec.features(), capacity);
        spec.tableInputs().forEach(input -> tables.add(new Slot(input, capacity)));
        labels = new Slot(spec.labels(), capacity);
    }

    /** Returns the features and looked-up vectors of a batch, by placeholder name. */
    Map<String, INDArray> forPrediction(Batch batch) {
        resize(batch.size());
        if (features != null) {
            features.put(batch.features(), batch.size());
        }
        for (int t = 0; t < tables.size(); t++) {
            lookUp(batch.rows(t), batch.size(), tables.get(t).staging);
            tables.get(t).put(tables.get(t).staging, batch.size());
        }
        return known;
    }

    /** Returns the features, looked-up vectors and labels of a batch, by placeholder name. */
    Map<String, INDArray> forTraining(Batch batch) {
        forPrediction(batch);
        spec.form().write(batch, spec.labelWidth(), labels.staging);
        labels.put(labels.staging, batch.size());
        return all;
    }

    /** Adds the gradient of a table's looked-up vectors to the gradients of its rows. */
    void scatter(INDArray gradient, Batch batch, int table) {
        float[] staging = tables.get(table).staging;
        EmbeddingRows rows = batch.rows(table);
        int dimension = rows.table().dimension();
        int lookUps = batch.size() * rows.table().columns();
        copy(gradient, staging, 0, lookUps * dimension);
        float[] into = rows.gradients();
        for (int i = 0; i < lookUps; i++) {
            int to = rows.rows()[i] * dimension;
            if (to >= 0) {
                for (int d = 0; d < dimension; d++) {
                    into[to + d] += staging[i * dimension + d];
                }
            }
        }
    }

    private static void lookUp(EmbeddingRows rows, int records, float[] into) {
        int dimension = rows.table().dimension();
        float[] values = rows.values();
        for (int i = 0; i < records * rows.table().columns(); i++) {
            int from = rows.rows()[i] * dimension;
            for (int d = 0; d < dimension; d++) {
                into[i * dimension + d] = from < 0 ? 0 : values[from + d];
            }
        }
    }

    /** Copies the elements of an array in c order. */
    static void copy(INDArray from, float[] to, int offset, int length) {
        if (from.length() != length) {
            throw new IllegalStateException("the graph returned " + from.length() + " floats instead of " + length);
        }
        // The pointer alone does not keep the memory: the array must live until the copy is done.
        INDArray owner = contiguous(from) ? from : from.dup('c');
        try {
            ((FloatPointer) owner.data().addressPointer()).get(to, offset, length);
        } finally {
            Reference.reachabilityFence(owner);
        }
    }

    private static boolean contiguous(INDArray array) {
        return !array.isView() && Arrays.equals(array.stride(), Nd4j.getStrides(array.shape(), 'c'));
    }

    private void resize(int newRecords) {
        if (newRecords == records) {
            return;
        }
        records = newRecords;
        if (features != null) {
            known.put(features.input.name(), features.rows(records));
        }
        tables.forEach(table -> known.put(table.input.name(), table.rows(records)));
        all.putAll(known);
        all.put(labels.input.name(), labels.rows(records));
    }

    /** Frees the arrays. */
    @Override
    public void close() {
        if (features != null) {
            features.whole.close();
        }
        tables.forEach(table -> table.whole.close());
        labels.whole.close();
    }

    private static final class Slot {
        final GraphInput input;
        final INDArray whole;
        /** Elements in Java memory, assembled here before they are copied to the array. */
        final float[] staging;

        Slot(GraphInput input, int capacity) {
            this.input = input;
            // The caller's thread may have an open workspace, whose memory is reused when it ends.
            try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
                whole = Nd4j.create(input.type(), input.shape(capacity), 'c');
            }
            staging = new float[Math.multiplyExact(capacity, input.width())];
        }

        INDArray rows(int records) {
            long[] shape = input.shape(records);
            return records == whole.size(0)
                    ? whole
                    : Nd4j.create(whole.data(), shape, Nd4j.getStrides(shape, 'c'), 0, 'c');
        }

        void put(float[] from, int records) {
            int length = records * input.width();
            if (input.type() == DataType.FLOAT) {
                ((FloatPointer) whole.data().addressPointer()).put(from, 0, length);
            } else {
                for (int i = 0; i < length; i++) {
                    whole.data().put(i, (long) from[i]);
                }
            }
        }
    }
}
