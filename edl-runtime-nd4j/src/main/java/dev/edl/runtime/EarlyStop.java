package dev.edl.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Callback that stops a training when a metric stops improving, as Keras' {@code EarlyStopping} does.
 *
 * <pre>{@code
 * .evaluationSteps(200)
 * .callback(EarlyStop.on("loss").patience(3).minDelta(0.001).restoreBest(true))
 * }</pre>
 *
 * <p>Checkpoints contain its state, so a resumed training continues to count. A value of NaN fails the training,
 * because it is neither better nor worse than another. Immutable; each method returns a new value.
 */
public final class EarlyStop implements TrainingCallback {
    private final String metric;
    private final int patience;
    private final double minDelta;
    private final @Nullable MetricMode mode;
    private final boolean restoreBest;

    private EarlyStop(String metric, int patience, double minDelta, @Nullable MetricMode mode, boolean restoreBest) {
        this.metric = metric;
        this.patience = patience;
        this.minDelta = minDelta;
        this.mode = mode;
        this.restoreBest = restoreBest;
    }

    /**
     * Returns a callback that watches a metric, for example {@code loss}, and stops the training at the first
     * evaluation whose value is not better than the best so far.
     */
    public static EarlyStop on(String metric) {
        return new EarlyStop(Objects.requireNonNull(metric, "metric"), 1, 0, null, false);
    }

    /**
     * Sets how many evaluations in a row without improvement stop the training; at least 1. Default: 1.
     *
     * <p>An evaluation whose version is not newer than all evaluated versions is ignored unless it is better. Such an
     * evaluation completes late, or repeats a version after a resumption or after a parameter server lost updates. If
     * it is better, the count restarts.
     */
    public EarlyStop patience(int evaluations) {
        return new EarlyStop(metric, evaluations, minDelta, mode, restoreBest);
    }

    /** Sets the margin, at least 0, by which a value must beat the best value so far to count as better. Default: 0. */
    public EarlyStop minDelta(double delta) {
        return new EarlyStop(metric, patience, delta, mode, restoreBest);
    }

    /**
     * Sets whether smaller or larger values are better. Default: {@link MetricMode#of derived from the metric's name}.
     */
    public EarlyStop mode(MetricMode newMode) {
        return new EarlyStop(metric, patience, minDelta, Objects.requireNonNull(newMode, "mode"), restoreBest);
    }

    /**
     * Sets whether the result of the training is the version with the best evaluation instead of the last version.
     *
     * <p>This applies to {@link TrainingResult#model() model} and metrics of the result and to its
     * {@linkplain TrainingBuilder#export export}, also if the training is not stopped. Default: false. The parameter
     * servers keep the best version, and checkpoints contain both the best and the last version. If a parameter server loses it,
     * {@link TrainingEvent.BestVersionLost} reports that, and the best evaluation since then takes its place. The value
     * to beat does not change.
     */
    public EarlyStop restoreBest(boolean restore) {
        return new EarlyStop(metric, patience, minDelta, mode, restore);
    }

    boolean restoresBest() {
        return restoreBest;
    }

    private Optional<MetricMode> effectiveMode() {
        return mode == null ? MetricMode.of(metric) : Optional.of(mode);
    }

    @Override
    public List<String> problems(Training training) {
        List<String> problems = new ArrayList<>(MetricMode.problems(toString(), metric, effectiveMode(), training));
        if (training.evaluationSteps() == 0) {
            problems.add(this + " needs evaluations while it trains; for example .evaluationSteps(200)");
        }
        if (patience < 1) {
            problems.add(this + ": patience must be at least 1, was " + patience);
        }
        if (!(minDelta >= 0) || Double.isInfinite(minDelta)) {
            problems.add(this + ": minDelta must be at least 0 and finite, was " + minDelta);
        }
        return problems;
    }

    @Override
    public TrainingCallback begin(String state) {
        return new Watch(effectiveMode().orElse(MetricMode.MIN), state);
    }

    /** Returns, for example, {@code EarlyStop on loss, patience 3}. */
    @Override
    public String toString() {
        return "EarlyStop on " + metric + ", patience " + patience;
    }

    /** State of the callback in one run. */
    private final class Watch implements TrainingCallback {
        private final MetricMode better;
        private double best = Double.NaN;
        private long bestVersion = -1;
        private long lastVersion = -1;
        private int since;
        /** Metric of the version that is kept as the result of the training; NaN if none is kept. */
        private double kept = Double.NaN;

        private Watch(MetricMode better, String state) {
            this.better = better;
            if (!state.isEmpty()) {
                String[] words = state.split(" ");
                best = Double.parseDouble(words[0]);
                bestVersion = Long.parseLong(words[1]);
                lastVersion = Long.parseLong(words[2]);
                since = Integer.parseInt(words[3]);
                kept = Double.parseDouble(words[4]);
            }
        }

        @Override
        public String state() {
            return best + " " + bestVersion + " " + lastVersion + " " + since + " " + kept;
        }

        /**
         * Returns true, because a call only changes counters and requests a stop or a version to keep, and both can be
         * repeated.
         */
        @Override
        public boolean repeatable() {
            return true;
        }

        @Override
        public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control)
                throws InterruptedException {
            double value = MetricMode.followed(toString(), metric, version, metrics);
            boolean isBetter = better.better(value, best, minDelta);
            if (restoreBest && isToBeKept(version, value, control) && control.keep(metrics)) {
                kept = value;
            }
            // An evaluation that completes after that of a later version, or that a resumed run repeats, is not
            // counted. It can still be the best one.
            if (version <= lastVersion && !isBetter) {
                return;
            }
            lastVersion = Math.max(lastVersion, version);
            if (isBetter) {
                best = value;
                bestVersion = version;
                since = 0;
            } else if (++since >= patience) {
                control.stop(reason());
            }
        }

        private boolean isToBeKept(long version, double value, TrainingControl control) {
            OptionalLong result = control.kept();
            // A repeated call finds its own version.
            return result.isEmpty() || result.getAsLong() == version || better.better(value, kept, minDelta);
        }

        private String reason() {
            return metric + " has not been better for " + since + (since == 1 ? " evaluation" : " evaluations")
                    + (bestVersion < 0 ? "" : " than " + best + " at version " + bestVersion);
        }

        @Override
        public String toString() {
            return EarlyStop.this.toString();
        }
    }
}
