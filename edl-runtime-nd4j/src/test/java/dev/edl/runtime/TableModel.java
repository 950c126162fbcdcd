package dev.edl.runtime;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Logistic regression on ids in plain Java, with embedding tables and untrained state.
 *
 * <p>It has a bias, a weight for each of a record's two ids, the product of the two ids' vectors and, as state, the
 * number of minibatches.
 */
public final class TableModel implements Model {
    static final EmbeddingTable WEIGHTS = new EmbeddingTable("weights", 1, 0, 2, Initializer.zeros());
    static final EmbeddingTable VECTORS = new EmbeddingTable("vectors", 2, 0, 2, Initializer.uniform(-0.5f, 0.5f));

    private final ParameterLayout layout =
            ParameterLayout.builder().add("bias", 1).addState("seen", 1).build();
    private final LongConsumer before;

    /** Creates a model that calls back before each gradient, with the number of minibatches in its parameters. */
    public TableModel(LongConsumer before) {
        this.before = before;
    }

    @Override
    public ParameterLayout layout() {
        return layout;
    }

    @Override
    public int features() {
        return 0;
    }

    @Override
    public int labels() {
        return 1;
    }

    @Override
    public int ids() {
        return 2;
    }

    @Override
    public List<EmbeddingTable> embeddings() {
        return List.of(WEIGHTS, VECTORS);
    }

    @Override
    public int outputs() {
        return 2;
    }

    @Override
    public void initialize(float[] parameters, long seed) {
        Arrays.fill(parameters, 0);
    }

    @Override
    public Session open(int capacity) {
        return new Session() {
            @Override
            public float gradient(float[] parameters, Batch batch, float[] gradient) {
                before.accept((long) parameters[1]);
                Arrays.fill(gradient, 0);
                gradient[1] = 1;
                EmbeddingRows weights = batch.rows(0);
                EmbeddingRows vectors = batch.rows(1);
                double loss = 0;
                for (int r = 0; r < batch.size(); r++) {
                    float p = probability(parameters, batch, r);
                    float y = batch.labels()[r];
                    loss -= Math.log(Math.max(1e-7, y == 1 ? p : 1 - p));
                    float error = (p - y) / batch.size();
                    gradient[0] += error;
                    for (int column = 0; column < 2; column++) {
                        if (weights.row(r, column) < 0) {
                            continue;
                        }
                        weights.gradients()[weights.row(r, column)] += error;
                        int mine = vectors.row(r, column);
                        int other = vectors.row(r, 1 - column);
                        for (int i = 0; i < 2 && other >= 0; i++) {
                            vectors.gradients()[2 * mine + i] += error * vectors.values()[2 * other + i];
                        }
                    }
                }
                return (float) (loss / batch.size());
            }

            @Override
            public void predict(float[] parameters, Batch batch, float[] outputs) {
                for (int r = 0; r < batch.size(); r++) {
                    float p = probability(parameters, batch, r);
                    outputs[2 * r] = 1 - p;
                    outputs[2 * r + 1] = p;
                }
            }

            @Override
            public void close() {}
        };
    }

    private static float probability(float[] parameters, Batch batch, int record) {
        EmbeddingRows weights = batch.rows(0);
        EmbeddingRows vectors = batch.rows(1);
        int first = vectors.row(record, 0);
        int second = vectors.row(record, 1);
        double z = parameters[0];
        for (int column = 0; column < 2; column++) {
            z += weights.row(record, column) < 0 ? 0 : weights.values()[weights.row(record, column)];
        }
        for (int i = 0; i < 2 && first >= 0 && second >= 0; i++) {
            z += vectors.values()[2 * first + i] * vectors.values()[2 * second + i];
        }
        return (float) (1 / (1 + Math.exp(-z)));
    }
}
