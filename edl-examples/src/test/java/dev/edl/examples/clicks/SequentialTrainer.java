package dev.edl.examples.clicks;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Trains on one thread by Adagrad, with all rows in a map: the computation of a job without the job. */
final class SequentialTrainer implements AutoCloseable {
    private static final int MINIBATCH = 64;

    private final Set<String> idleTables;
    private final double rate;
    private final float[] parameters;
    private final float[] squares;
    private final float[] gradient;
    private final Map<String, Map<Long, float[]>> rows = new HashMap<>();
    private final Batch batch;
    private final Model.Session session;

    /** Rows of idle tables stay 0. */
    SequentialTrainer(Model model, double rate, Set<String> idleTables) {
        this.rate = rate;
        this.idleTables = idleTables;
        parameters = new float[model.layout().size()];
        squares = new float[parameters.length];
        gradient = new float[parameters.length];
        model.initialize(parameters, 1);
        batch = Batch.of(model, MINIBATCH);
        session = model.open(MINIBATCH);
    }

    void train(ClickData data, int records) {
        for (int from = 0; from < records; from += MINIBATCH) {
            read(data, from);
            session.gradient(parameters, batch, gradient);
            for (int i = 0; i < gradient.length; i++) {
                squares[i] += gradient[i] * gradient[i];
                parameters[i] -= step(gradient[i], squares[i]);
            }
            for (EmbeddingRows table : batch.tables()) {
                if (!idleTables.contains(table.table().name())) {
                    update(table);
                }
            }
        }
    }

    double auc(ClickData data, int firstRecord, int records) {
        Metric.Partial auc = Metric.auc().start();
        float[] outputs = new float[MINIBATCH];
        for (int from = 0; from < records; from += MINIBATCH) {
            read(data, firstRecord + from);
            session.predict(parameters, batch, outputs);
            auc.add(outputs, 1, batch);
        }
        return auc.value();
    }

    private void read(ClickData data, int first) {
        batch.clear(data + " from " + first);
        for (int i = 0; i < MINIBATCH; i++) {
            data.decode(data.record(first + i), batch);
        }
        batch.gather();
        for (EmbeddingRows table : batch.tables()) {
            for (int row = 0; row < table.count(); row++) {
                float[] found = row(table, row);
                System.arraycopy(found, 0, table.values(), row * dimension(table), dimension(table));
            }
        }
    }

    /** The values of a row, then the sums of its gradients' squares. */
    private float[] row(EmbeddingRows table, int row) {
        Map<Long, float[]> known = rows.computeIfAbsent(table.table().name(), name -> new HashMap<>());
        return known.computeIfAbsent(table.ids()[row], id -> {
            float[] made = new float[2 * dimension(table)];
            if (!idleTables.contains(table.table().name())) {
                long seed = Initializer.seed(1, table.table().name());
                table.table().initializer().fill(made, 0, dimension(table), seed, id);
            }
            return made;
        });
    }

    private void update(EmbeddingRows table) {
        for (int row = 0; row < table.count(); row++) {
            float[] found = row(table, row);
            for (int d = 0; d < dimension(table); d++) {
                float g = table.gradients()[row * dimension(table) + d];
                found[dimension(table) + d] += g * g;
                found[d] -= step(g, found[dimension(table) + d]);
            }
        }
    }

    private float step(float g, float sumOfSquares) {
        return (float) (rate * g / (Math.sqrt(sumOfSquares) + 1e-7));
    }

    private static int dimension(EmbeddingRows table) {
        return table.table().dimension();
    }

    @Override
    public void close() {
        session.close();
    }
}
