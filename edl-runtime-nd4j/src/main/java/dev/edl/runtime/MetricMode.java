package dev.edl.runtime;

import dev.edl.runtime.metrics.Metric;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Whether a larger or a smaller value of a metric is the better one. */
public enum MetricMode {
    /** Smaller is better, as of a loss. */
    MIN,
    /** Larger is better, as of an accuracy. */
    MAX;

    private static final List<String> LARGER = List.of("accuracy", "auc", "precision", "recall", "f1", "r2");
    private static final List<String> SMALLER =
            List.of("loss", "error", "mse", "mae", "rmse", "entropy", "logloss", "perplexity");

    /**
     * What a metric's name tells, whatever stands in front of an underscore: {@link #MAX} of {@code accuracy},
     * {@code auc}, {@code precision}, {@code recall}, {@code f1} and {@code r2}; {@link #MIN} of {@code loss},
     * {@code error}, {@code mse}, {@code mae}, {@code rmse}, {@code entropy}, {@code logloss} and {@code perplexity};
     * nothing of others.
     */
    public static Optional<MetricMode> of(String metric) {
        String word = metric.toLowerCase(Locale.ROOT);
        word = word.substring(word.lastIndexOf('_') + 1);
        if (LARGER.contains(word)) {
            return Optional.of(MAX);
        }
        return SMALLER.contains(word) ? Optional.of(MIN) : Optional.empty();
    }

    /** Whether a value is better than the best so far, by more than a margin; NaN never is. */
    boolean better(double value, double best, double margin) {
        if (Double.isNaN(value) || Double.isNaN(best)) {
            return !Double.isNaN(value);
        }
        return this == MIN ? value < best - margin : value > best + margin;
    }

    /** Returns the value that decides whether a version is the best; NaN is none. */
    static double followed(String who, String metric, long version, Map<String, Double> metrics) {
        double value = metrics.getOrDefault(metric, Double.NaN);
        if (Double.isNaN(value)) {
            throw new IllegalStateException(who + " cannot tell whether version " + version + " is the best: " + metric
                    + " is NaN there; auc is NaN where all records of validation are of one class");
        }
        return value;
    }

    /** What keeps a metric from being followed in a training. */
    static List<String> problems(String who, String metric, Optional<MetricMode> mode, Training training) {
        if (training.validation().isEmpty()) {
            return List.of(who + " needs evaluations; add .validation(dataset)");
        }
        List<String> names = training.metrics().stream().map(Metric::name).toList();
        if (!names.contains(metric)) {
            return List.of(who + " follows a metric that is not computed; the metrics are " + names);
        }
        if (mode.isEmpty()) {
            return List.of(who + " cannot tell from the name whether a smaller or a larger value is the better one; add"
                    + " .mode(MetricMode.MIN) or .mode(MetricMode.MAX)");
        }
        return List.of();
    }
}
