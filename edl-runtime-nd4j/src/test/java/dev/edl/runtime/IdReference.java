package dev.edl.runtime;

import dev.edl.runtime.initializers.Initializer;
import java.util.Map;
import java.util.TreeMap;

/** The training of {@link TableModel} as a plain loop in double precision, independent of the runtime: SGD of 0.5. */
public final class IdReference {
    private static final int MINIBATCH = 4;

    private final long seed;
    /** Weight and vector of each id. */
    private final Map<Long, double[]> rows = new TreeMap<>();

    private double bias;

    public IdReference(long seed) {
        this.seed = seed;
    }

    public double bias() {
        return bias;
    }

    public double[] row(long id) {
        double[] row = rows.get(id);
        return row == null ? first(id) : row;
    }

    private double[] first(long id) {
        float[] vector = new float[2];
        TableModel.VECTORS.initializer().fill(vector, 0, 2, Initializer.seed(seed, "vectors"), id);
        return new double[] {0, vector[0], vector[1]};
    }

    public long[] ids() {
        return rows.keySet().stream().mapToLong(Long::longValue).toArray();
    }

    /** Returns the validation loss after each multiple of {@code every} steps and after the last one. */
    public Map<Long, Double> train(int epochs, int every) {
        IdDataset data = new IdDataset(1);
        Map<Long, Double> losses = new TreeMap<>();
        long step = 0;
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (int from = 0; from < IdDataset.RECORDS; from += MINIBATCH) {
                Map<Long, double[]> gradients = new TreeMap<>();
                double biasGradient = 0;
                for (int r = from; r < from + MINIBATCH; r++) {
                    double error = (probability(data, r) - data.label(r)) / MINIBATCH;
                    biasGradient += error;
                    for (int column = 0; column < 2; column++) {
                        double[] other = row(data.id(r, 1 - column));
                        double[] gradient = gradients.computeIfAbsent(data.id(r, column), id -> new double[3]);
                        gradient[0] += error;
                        gradient[1] += error * other[1];
                        gradient[2] += error * other[2];
                    }
                }
                bias -= 0.5 * biasGradient;
                gradients.forEach((id, gradient) -> {
                    double[] row = rows.computeIfAbsent(id, this::first);
                    for (int i = 0; i < 3; i++) {
                        row[i] -= 0.5 * gradient[i];
                    }
                });
                step++;
                if (step % every == 0) {
                    losses.put(step, loss());
                }
            }
        }
        losses.put(step, loss());
        return losses;
    }

    private double loss() {
        IdDataset data = new IdDataset(2);
        double sum = 0;
        for (int r = 0; r < IdDataset.RECORDS; r++) {
            double p = probability(data, r);
            sum -= Math.log(data.label(r) == 1 ? p : 1 - p);
        }
        return sum / IdDataset.RECORDS;
    }

    private double probability(IdDataset data, int record) {
        double[] first = row(data.id(record, 0));
        double[] second = row(data.id(record, 1));
        double z = bias + first[0] + second[0] + first[1] * second[1] + first[2] * second[2];
        return 1 / (1 + Math.exp(-z));
    }
}
