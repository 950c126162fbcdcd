package dev.edl.runtime.model;

import java.util.List;

/**
 * Values of all parameters of a model at one version: the flat vector and the embedding tables.
 *
 * <pre>{@code
 * values.fill(batch.gather());
 * session.predict(values.weights(), batch, outputs);
 * }</pre>
 *
 * <p>Safe for several threads, as long as no thread writes to {@link #weights()}.
 */
public interface ParameterValues {
    /** Returns the number of updates that led to these values. */
    long version();

    /** Returns the flat vector, in the order of the model's layout. This is the array itself; do not write to it. */
    float[] weights();

    /** Returns the embedding tables, in the order of the model's tables. */
    List<? extends EmbeddingValues> tables();

    /** Copies the values of the embedding rows that a batch needs into the batch; call {@link Batch#gather} first. */
    default void fill(Batch batch) {
        List<? extends EmbeddingValues> tables = tables();
        for (int i = 0; i < tables.size(); i++) {
            tables.get(i).fill(batch.rows(i));
        }
    }
}
