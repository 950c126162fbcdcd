package dev.edl.runtime.inprocess;

import java.util.Map;
import java.util.TreeMap;

/** The fixture's training as a plain loop: SGD, record by record, in double precision, without the runtime. */
final class SequentialReference {
    private SequentialReference() {}

    /** Returns the validation loss after each multiple of {@code every} steps and after the last one. */
    static Map<Long, Double> losses(int epochs, int every) {
        int n = Fixture.FEATURES;
        float[] initial = new float[n + 1];
        new LogisticModel(n).initialize(initial, 7);
        double[] w = new double[n + 1];
        for (int i = 0; i <= n; i++) {
            w[i] = initial[i];
        }
        var train = Fixture.data(1);
        Map<Long, Double> losses = new TreeMap<>();
        long step = 0;
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (int shard = 0; shard < 4; shard++) {
                // Minibatches of 4 within tasks of 16 within shards of 50: 12 whole ones and one of 2.
                for (int from = 0; from < 50; from += Fixture.MINIBATCH) {
                    int to = Math.min(50, from + Fixture.MINIBATCH);
                    double[] gradient = new double[n + 1];
                    for (int r = shard * 50 + from; r < shard * 50 + to; r++) {
                        double error = probability(w, train.row(r)) - train.label(r);
                        for (int f = 0; f < n; f++) {
                            gradient[f] += error * train.row(r)[f] / (to - from);
                        }
                        gradient[n] += error / (to - from);
                    }
                    for (int i = 0; i <= n; i++) {
                        w[i] -= 0.1 * gradient[i];
                    }
                    step++;
                    if (step % every == 0) {
                        losses.put(step, loss(w));
                    }
                }
            }
        }
        losses.put(step, loss(w));
        return losses;
    }

    private static double loss(double[] w) {
        var test = Fixture.data(2);
        double sum = 0;
        for (int r = 0; r < Fixture.RECORDS; r++) {
            double p = probability(w, test.row(r));
            sum -= Math.log(test.label(r) == 1 ? p : 1 - p);
        }
        return sum / Fixture.RECORDS;
    }

    private static double probability(double[] w, float[] row) {
        double z = w[row.length];
        for (int f = 0; f < row.length; f++) {
            z += w[f] * row[f];
        }
        return 1 / (1 + Math.exp(-z));
    }
}
