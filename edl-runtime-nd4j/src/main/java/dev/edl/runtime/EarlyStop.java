package dev.edl.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Stops a training when a metric has not become better for some evaluations, the rule of Keras' {@code EarlyStopping}.
 *
 * <pre>{@code
 * .evaluationSteps(200)
 * .callback(EarlyStop.on("loss").patience(3).minDelta(0.001).restoreBest(true))
 * }</pre>
 *
 * <p>What it has seen is kept in checkpoints, so a resumed training goes on counting. A value of NaN fails the training, since it
 * is neither better nor worse than another. Immutable; each method returns a new value.
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

    /** Follows a metric of the evaluations, for example {@code loss}; stops at the first one that is not better. */
    public static EarlyStop on(String metric) {
        return new EarlyStop(Objects.requireNonNull(metric, "metric"), 1, 0, null, false);
    }

    /**
     * How many evaluations in a row may be no better, at least 1; the last of them stops the training. 1 unless given. One
     * that ends behind that of a later version counts only when it is better.
     */
    public EarlyStop patience(int evaluations) {
        return new EarlyStop(metric, evaluations, minDelta, mode, restoreBest);
    }

    /** By how much a value must be better than the best to count as better, at least 0; 0 unless given. */
    public EarlyStop minDelta(double delta) {
        return new EarlyStop(metric, patience, delta, mode, restoreBest);
    }

    /** Which values are better; unless given, {@link MetricMode#of what the metric's name tells}. */
    public EarlyStop mode(MetricMode newMode) {
        return new EarlyStop(metric, patience, minDelta, Objects.requireNonNull(newMode, "mode"), restoreBest);
    }

    /**
     * Whether the version of the best evaluation, and not the last one, is what the training has come to: its result's
     * {@link TrainingResult#model() model} and metrics, and its {@linkplain TrainingBuilder#export export}; also when the
     * training is not stopped. False unless given. The parameter servers keep the best version, and checkpoints have it beside the
     * last one. When a parameter server loses it, which {@link TrainingEvent.BestVersionLost} tells, the best of the evaluations
     * since takes its place, and what counts as better stays as it was.
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

    /** For example {@code EarlyStop on loss, patience 3}. */
    @Override
    public String toString() {
        return "EarlyStop on " + metric + ", patience " + patience;
    }

    /** What it has seen in one run. */
    private final class Watch implements TrainingCallback {
        private final MetricMode better;
        private double best = Double.NaN;
        private long bestVersion = -1;
        private long lastVersion = -1;
        private int since;
        /** The value of the version that is kept as the result. */
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

        /** It only counts and gives orders that can be given again. */
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
            // An evaluation that comes behind that of a later version, or that a resumed run repeats, is not counted,
            // but
            // it can be the best one.
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
            // A call that is made again finds its own version.
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
