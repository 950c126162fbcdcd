package dev.edl.runtime.zoo.internal.layers;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import java.util.Arrays;

/**
 * Factorization machine: the bias, a weight for each id and numeric feature, and the inner products of all pairs of
 * vectors.
 *
 * <p>The pairs' sum over f &lt; g of v_f v_g is half of (sum of v_f)^2 - sum of v_f^2, by dimension (Rendle,
 * "Factorization Machines", 2010, lemma 3.1): linear in the number of ids.
 */
public final class FactorizationMachine {
    private final int fields;
    private final int numeric;
    private final int dimension;
    private final int bias;
    private final int weights;
    /** Sum of the fields' vectors, by record. */
    private final float[] sums;

    /**
     * Allocates buffers for up to {@code capacity} records.
     *
     * @param bias the index of the bias among the parameters
     * @param weights the index of the first weight of the numeric features
     */
    public FactorizationMachine(int fields, int numeric, int dimension, int bias, int weights, int capacity) {
        this.fields = fields;
        this.numeric = numeric;
        this.dimension = dimension;
        this.bias = bias;
        this.weights = weights;
        sums = new float[Math.multiplyExact(capacity, dimension)];
    }

    /**
     * Writes the logit of each record to {@code logits}, and the input of the deep layers to {@code input}.
     *
     * @param input for each record, the vectors of its fields (0 without an id), then its numeric features; row-major,
     *     {@code fields * dimension + numeric} floats per record, all overwritten
     */
    public void forward(float[] parameters, Batch batch, float[] logits, float[] input) {
        EmbeddingRows first = batch.rows(0);
        EmbeddingRows second = batch.rows(1);
        float[] vectors = second.values();
        Arrays.fill(sums, 0, batch.size() * dimension, 0f);
        int at = 0;
        for (int record = 0; record < batch.size(); record++) {
            int sum = record * dimension;
            float logit = parameters[bias];
            float squares = 0;
            for (int field = 0; field < fields; field++, at += dimension) {
                int weight = first.rows()[record * fields + field];
                int vector = second.rows()[record * fields + field] * dimension;
                if (weight < 0) {
                    Arrays.fill(input, at, at + dimension, 0f);
                    continue;
                }
                logit += first.values()[weight];
                for (int d = 0; d < dimension; d++) {
                    float v = vectors[vector + d];
                    input[at + d] = v;
                    sums[sum + d] += v;
                    squares += v * v;
                }
            }
            float squaredSums = 0;
            for (int d = 0; d < dimension; d++) {
                squaredSums += sums[sum + d] * sums[sum + d];
            }
            for (int i = 0; i < numeric; i++, at++) {
                float x = batch.features()[record * numeric + i];
                input[at] = x;
                logit += parameters[weights + i] * x;
            }
            logits[record] = logit + 0.5f * (squaredSums - squares);
        }
    }

    /**
     * Writes the gradients of bias and weights, and adds the gradients of the embedding rows; call {@link #forward}
     * first.
     *
     * @param inputDelta gradient of the loss with respect to {@code input}, from the deep layers
     */
    public void backward(Batch batch, float[] logitDelta, float[] inputDelta, float[] gradient) {
        EmbeddingRows first = batch.rows(0);
        EmbeddingRows second = batch.rows(1);
        float[] vectors = second.values();
        float[] vectorGradients = second.gradients();
        gradient[bias] = 0;
        Arrays.fill(gradient, weights, weights + numeric, 0f);
        int at = 0;
        for (int record = 0; record < batch.size(); record++) {
            float delta = logitDelta[record];
            int sum = record * dimension;
            gradient[bias] += delta;
            for (int i = 0; i < numeric; i++) {
                gradient[weights + i] += delta * batch.features()[record * numeric + i];
            }
            for (int field = 0; field < fields; field++, at += dimension) {
                int weight = first.rows()[record * fields + field];
                int vector = second.rows()[record * fields + field] * dimension;
                if (weight >= 0) {
                    first.gradients()[weight] += delta;
                    for (int d = 0; d < dimension; d++) {
                        vectorGradients[vector + d] +=
                                inputDelta[at + d] + delta * (sums[sum + d] - vectors[vector + d]);
                    }
                }
            }
            at += numeric;
        }
    }
}
