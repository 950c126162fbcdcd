package dev.edl.runtime.ps;

import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.optimizers.Optimizer;
import java.util.HashMap;
import java.util.Map;

/**
 * An embedding table as a map, in double precision: the rules straight from the papers, for the present rows only.
 * Hyperparameters are those of {@link #optimizer}.
 */
final class NaiveRows {
    private final String rule;
    private final EmbeddingTable table;
    final Map<Long, double[][]> rows = new HashMap<>();

    NaiveRows(String rule, EmbeddingTable table) {
        this.rule = rule;
        this.table = table;
    }

    static Optimizer optimizer(String rule) {
        return switch (rule) {
            case "sgd" -> Optimizer.sgd(0.05f);
            case "momentum" -> Optimizer.sgd(0.05f, 0.8f, false);
            case "nesterov" -> Optimizer.sgd(0.05f, 0.8f, true);
            case "adam" -> Optimizer.adam(0.01f, 0.8f, 0.99f, 1e-6f);
            case "amsgrad" -> Optimizer.amsgrad(0.01f, 0.8f, 0.99f, 1e-6f);
            default -> Optimizer.adagrad(0.05f, 1e-6f);
        };
    }

    double[] row(long id) {
        return rows.computeIfAbsent(id, this::begin)[0];
    }

    private double[][] begin(long id) {
        float[] first = Tables.first(table, id);
        double[][] state = new double[4][first.length];
        for (int i = 0; i < first.length; i++) {
            state[0][i] = first[i];
        }
        return state;
    }

    /** The update number {@code t}, from 1, of one row. */
    void update(long id, int t, double[] gradient) {
        double[][] s = rows.computeIfAbsent(id, this::begin);
        for (int i = 0; i < gradient.length; i++) {
            double g = gradient[i];
            switch (rule) {
                case "sgd" -> s[0][i] -= 0.05 * g;
                case "momentum", "nesterov" -> {
                    s[1][i] = 0.8 * s[1][i] + g;
                    s[0][i] -= 0.05 * (rule.equals("nesterov") ? g + 0.8 * s[1][i] : s[1][i]);
                }
                case "adagrad" -> {
                    s[1][i] += g * g;
                    s[0][i] -= 0.05 * g / (Math.sqrt(s[1][i]) + 1e-6);
                }
                default -> {
                    s[1][i] = 0.8 * s[1][i] + 0.2 * g;
                    s[2][i] = 0.99 * s[2][i] + 0.01 * g * g;
                    s[3][i] = Math.max(s[3][i], s[2][i]);
                    double rate = 0.01 * Math.sqrt(1 - Math.pow(0.99, t)) / (1 - Math.pow(0.8, t));
                    s[0][i] -= rate * s[1][i] / (Math.sqrt(rule.equals("amsgrad") ? s[3][i] : s[2][i]) + 1e-6);
                }
            }
        }
    }
}
