package dev.edl.runtime;

import dev.edl.runtime.metrics.Metric;
import java.util.List;

/**
 * What is trained: a parameter layout, initial values, and the gradient of a loss on a batch.
 *
 * <p>The one contract of hand-written models and of models that wrap a graph ({@code SameDiffModel}). Parameters and
 * gradients are flat vectors in the order of {@link #layout()}, so the runtime never looks inside. A model is
 * immutable and shared; what one worker needs to compute (buffers, native arrays) is a {@link Session} of its own.
 */
public interface Model {
    /** Names and shapes of the parameters; the same at every call. */
    ParameterLayout layout();

    /** Floats of features that one record must have. */
    int features();

    /** Floats of labels that one record must have; 1, the class index, for a classifier. */
    int labels();

    /** Ids that one record must have; 0 for a model without embedding tables. */
    default int ids() {
        return 0;
    }

    /** The tables in which the ids are looked up, in the order of {@link Batch#rows}; none unless overridden. */
    default List<EmbeddingTable> embeddings() {
        return List.of();
    }

    /** Floats that {@link Session#predict} writes for one record; the number of classes for a classifier. */
    int outputs();

    /**
     * What an evaluation computes unless the training or evaluation names other metrics: accuracy and cross entropy, unless
     * overridden. A regression returns {@code List.of(Metric.meanSquaredError())}.
     */
    default List<Metric> metrics() {
        return List.of(Metric.accuracy(), Metric.crossEntropy());
    }

    /**
     * Writes initial values; the same seed gives the same values on every machine.
     *
     * @param parameters a vector of {@code layout().size()} floats, overwritten
     */
    void initialize(float[] parameters, long seed);

    /**
     * Opens what one worker needs to compute.
     *
     * @param capacity the most records that a batch of this session will hold
     */
    Session open(int capacity);

    /** One worker's means to compute; used by one thread at a time. */
    interface Session extends AutoCloseable {
        /**
         * The loss on a batch, averaged over its records, and its gradient.
         *
         * @param parameters read, never written
         * @param batch at least one record and at most the session's capacity; read, never written, since the same one may
         *     come again; with the values of the rows that its ids need, to whose {@link EmbeddingRows#gradients()}, all 0
         *     before, the session adds
         * @param gradient a vector of {@code layout().size()} floats, overwritten; for parameters that are not
         *     {@linkplain ParameterLayout#trained() trained}, the change that the session wants
         * @return the mean loss
         */
        float gradient(float[] parameters, Batch batch, float[] gradient);

        /**
         * The model's answer for each record.
         *
         * @param parameters read, never written: other workers may read the same array
         * @param batch read, never written
         * @param outputs row-major, {@code outputs()} floats a record, overwritten; class probabilities for a
         *     classifier
         */
        void predict(float[] parameters, Batch batch, float[] outputs);

        /** Frees the session's buffers. */
        @Override
        void close();
    }

    /**
     * A session that copies its parameters anyway, as one does that computes in native memory: a worker gives it them part
     * by part, straight from where they are kept, and both are spared a copy of the whole vector.
     */
    interface LoadingSession extends Session {
        /**
         * Copies {@code values[from .. from + count)}, which are the parameters at {@code [offset .. offset + count)} of
         * the flat vector. All parameters are loaded, in parts and in any order, before {@link #gradient(Batch, float[])}
         * is called; nothing else of the session is called in between.
         *
         * @param values read, never written and never kept
         */
        void load(float[] values, int from, int offset, int count);

        /** What {@link #gradient(float[], Batch, float[])} does, of the parameters that were loaded last. */
        float gradient(Batch batch, float[] gradient);
    }
}
