package dev.edl.runtime.model;

import java.util.List;

/**
 * Model that can be trained: a parameter layout, initial values, and the gradient of a loss on a batch.
 *
 * <p>Hand-written models and models that wrap a graph ({@code SameDiffModel}) implement it. Parameters and gradients
 * are flat vectors in the order of {@link #layout()}, so the runtime does not depend on the model's structure. A model
 * is immutable and shared. Buffers and native arrays of one worker belong to a {@link Session}.
 */
public interface Model {
    /** Returns the names and shapes of the parameters; every call returns the same layout. */
    ParameterLayout layout();

    /** Returns the number of feature floats in one record. */
    int features();

    /** Returns the number of label floats in one record; 1, the class index, for a classifier. */
    int labels();

    /** Returns the number of embedding ids in one record; 0 for a model without embedding tables. */
    default int ids() {
        return 0;
    }

    /** Returns the embedding tables for the ids, in the order of {@link Batch#rows}. Default: none. */
    default List<EmbeddingTable> embeddings() {
        return List.of();
    }

    /**
     * Returns the number of floats that {@link Session#predict} writes for one record; for a classifier, the number of
     * classes.
     */
    int outputs();

    /**
     * Returns the metrics that an evaluation computes unless it sets others. Default: accuracy and cross entropy.
     *
     * <p>A regression model returns {@code List.of(Metric.meanSquaredError())}.
     */
    default List<Metric> metrics() {
        return List.of(Metric.accuracy(), Metric.crossEntropy());
    }

    /**
     * Returns text that must be equal in all processes of a training, besides the layout and the tables. Default: empty.
     *
     * <p>A model of a file returns the file's checksum. Otherwise the processes could train two models with equal layouts.
     */
    default String identity() {
        return "";
    }

    /**
     * Writes initial values of the parameters; the same seed gives the same values on every machine.
     *
     * @param parameters a vector of {@code layout().size()} floats, overwritten
     */
    void initialize(float[] parameters, long seed);

    /**
     * Opens a session with its own buffers, for one worker.
     *
     * @param capacity maximum number of records in a batch that is passed to the session
     */
    Session open(int capacity);

    /** Computes gradients and outputs for one worker, in buffers that it reuses. Used by one thread at a time. */
    interface Session extends AutoCloseable {
        /**
         * Computes the mean loss over the records of a batch, and the gradient of that loss.
         *
         * <p>The batch contains the values of the embedding rows that it needs. The session adds to
         * {@link EmbeddingRows#gradients()}, which are 0 before the call.
         *
         * @param parameters read, never written
         * @param batch batch of 1 record up to the session's capacity; read, never written, because it may be passed
         *     again
         * @param gradient a vector of {@code layout().size()} floats, overwritten; for parameters that are not
         *     {@linkplain ParameterLayout#trained() trained}, the change that the session requests
         * @return the mean loss
         */
        float gradient(float[] parameters, Batch batch, float[] gradient);

        /**
         * Computes the model's outputs for each record.
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
     * Session that copies the parameters that it computes with, for example into native memory.
     *
     * <p>The worker passes the parameters to the session in parts, directly from their storage, so neither copies the
     * whole vector beforehand.
     */
    interface LoadingSession extends Session {
        /**
         * Copies {@code values[from .. from + count)}, the parameters at {@code [offset .. offset + count)} of the flat
         * vector.
         *
         * <p>All parameters are loaded, in parts and in any order, before {@link #gradient(Batch, float[])} is called.
         * No other method of the session is called in between.
         *
         * @param values read, never written, not retained
         */
        void load(float[] values, int from, int offset, int count);

        /** Computes what {@link #gradient(float[], Batch, float[])} computes, from the last loaded parameters. */
        float gradient(Batch batch, float[] gradient);
    }
}
