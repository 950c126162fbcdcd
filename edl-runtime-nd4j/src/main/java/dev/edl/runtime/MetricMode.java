package dev.edl.runtime;

import dev.edl.runtime.model.Metric;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Direction of a metric: whether a larger or a smaller value is better. */
public enum MetricMode {
    /** Smaller is better, as for a loss. */
    MIN,
    /** Larger is better, as for an accuracy. */
    MAX;

    private static final List<String> LARGER = List.of("accuracy", "auc", "precision", "recall", "f1", "r2");
    private static final List<String> SMALLER =
            List.of("loss", "error", "mse", "mae", "rmse", "entropy", "logloss", "perplexity");

    /**
     * Returns the mode that a metric's name implies, by the part after its last underscore:
     *
     * <ul>
     *   <li>{@link #MAX} for {@code accuracy}, {@code auc}, {@code precision}, {@code recall}, {@code f1} and
     *       {@code r2}
     *   <li>{@link #MIN} for {@code loss}, {@code error}, {@code mse}, {@code mae}, {@code rmse}, {@code entropy},
     *       {@code logloss} and {@code perplexity}
     *   <li>empty for others
     * </ul>
     */
    public static Optional<MetricMode> of(String metric) {
        String word = metric.toLowerCase(Locale.ROOT);
        word = word.substring(word.lastIndexOf('_') + 1);
        if (LARGER.contains(word)) {
            return Optional.of(MAX);
        }
        return SMALLER.contains(word) ? Optional.of(MIN) : Optional.empty();
    }

    /** Returns whether a value is better than the best so far by more than a margin; always false for NaN. */
    boolean better(double value, double best, double margin) {
        if (Double.isNaN(value) || Double.isNaN(best)) {
            return !Double.isNaN(value);
        }
        return this == MIN ? value < best - margin : value > best + margin;
    }

    /** Returns the value of the watched metric; throws if the value is NaN. */
    static double followed(String who, String metric, long version, Map<String, Double> metrics) {
        double value = metrics.getOrDefault(metric, Double.NaN);
        if (Double.isNaN(value)) {
            throw new IllegalStateException(who + " cannot compare version " + version + " with the best: " + metric
                    + " is NaN; auc is NaN if all validation records are of one class");
        }
        return value;
    }

    /** Returns the reasons why a metric cannot be watched in a training. */
    static List<String> problems(String who, String metric, Optional<MetricMode> mode, Training training) {
        if (training.validation().isEmpty()) {
            return List.of(who + " needs evaluations; add .validation(dataset)");
        }
        List<String> names = training.metrics().stream().map(Metric::name).toList();
        if (!names.contains(metric)) {
            return List.of(who + " follows a metric that is not computed; the metrics are " + names);
        }
        if (mode.isEmpty()) {
            return List.of(who + " cannot derive from the name whether smaller or larger values are better; add"
                    + " .mode(MetricMode.MIN) or .mode(MetricMode.MAX)");
        }
        return List.of();
    }
}
