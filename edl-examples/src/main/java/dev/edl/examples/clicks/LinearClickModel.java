package dev.edl.examples.clicks;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import java.util.Arrays;
import java.util.List;

/**
 * Logistic regression over ids and numbers, for comparison: a weight for each id and each number, without interactions.
 * An example of a custom model.
 *
 * @param fields number of ids of a record; a negative id counts as missing
 * @param numeric number of float features of a record
 */
record LinearClickModel(int fields, int numeric) implements Model {
    /** Returns the layout: the weights of the float features, then the bias. */
    @Override
    public ParameterLayout layout() {
        return ParameterLayout.builder()
                .add("numeric/weights", numeric)
                .add("bias", 1)
                .build();
    }

    @Override
    public List<EmbeddingTable> embeddings() {
        return List.of(new EmbeddingTable("linear/weights", 1, 0, fields, Initializer.zeros()));
    }

    @Override
    public int features() {
        return numeric;
    }

    @Override
    public int labels() {
        return 1;
    }

    @Override
    public int ids() {
        return fields;
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public void initialize(float[] parameters, long seed) {
        Arrays.fill(parameters, 0f);
    }

    @Override
    public Session open(int capacity) {
        return new Session() {
            private final float[] answers = new float[capacity];

            @Override
            public float gradient(float[] parameters, Batch batch, float[] gradient) {
                predict(parameters, batch, answers);
                Arrays.fill(gradient, 0f);
                EmbeddingRows rows = batch.rows(0);
                double loss = 0;
                for (int record = 0; record < batch.size(); record++) {
                    int label = batch.classLabel(record, 2);
                    loss -= Math.log(Math.max(1e-7, label == 1 ? answers[record] : 1 - answers[record]));
                    float delta = (answers[record] - label) / batch.size();
                    for (int i = 0; i < numeric; i++) {
                        gradient[i] += delta * batch.features()[record * numeric + i];
                    }
                    gradient[numeric] += delta;
                    for (int f = 0; f < fields; f++) {
                        int row = rows.row(record, f);
                        if (row >= 0) {
                            rows.gradients()[row] += delta;
                        }
                    }
                }
                return (float) (loss / batch.size());
            }

            @Override
            public void predict(float[] parameters, Batch batch, float[] outputs) {
                EmbeddingRows rows = batch.rows(0);
                for (int record = 0; record < batch.size(); record++) {
                    double logit = parameters[numeric];
                    for (int i = 0; i < numeric; i++) {
                        logit += parameters[i] * batch.features()[record * numeric + i];
                    }
                    for (int f = 0; f < fields; f++) {
                        int row = rows.row(record, f);
                        logit += row < 0 ? 0 : rows.values()[row];
                    }
                    outputs[record] = (float) (1 / (1 + Math.exp(-logit)));
                }
            }

            @Override
            public void close() {}
        };
    }
}
