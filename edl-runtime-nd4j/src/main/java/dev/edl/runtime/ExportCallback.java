package dev.edl.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Callback that writes the model during training, as {@link TrainingBuilder#export} does at the end. Immutable.
 *
 * <pre>{@code
 * .callback(ExportCallback.best("accuracy", Path.of("out/best.npz")))
 * .callback(ExportCallback.every(1000, Path.of("out/steps")))             // out/steps/model-1003.npz
 * }</pre>
 */
public final class ExportCallback implements TrainingCallback {
    private static final List<String> EXPORTS = List.of(".npz", ".safetensors", ".onnx");

    private final @Nullable String metric;
    private final @Nullable MetricMode mode;
    private final long steps;
    private final Path target;

    private ExportCallback(@Nullable String metric, @Nullable MetricMode mode, long steps, Path target) {
        this.metric = metric;
        this.mode = mode;
        this.steps = steps;
        this.target = Objects.requireNonNull(target, "target");
    }

    /**
     * Returns a callback that writes the model of each evaluation that is better than all before, including those
     * before a resume.
     *
     * <p>A value of NaN fails the training.
     *
     * @param metric name of the metric that is compared, for example {@code accuracy}
     * @param file {@code .npz}, {@code .safetensors} or {@code .onnx} file that each better model replaces atomically
     */
    public static ExportCallback best(String metric, Path file) {
        return new ExportCallback(Objects.requireNonNull(metric, "metric"), null, 0, file);
    }

    /**
     * Returns a callback that writes {@code model-<version>.npz} each time the model version has passed a multiple of
     * {@code steps}.
     *
     * @param steps interval in model versions, at least 1
     * @param directory directory of the files, created if missing; old files stay
     */
    public static ExportCallback every(long steps, Path directory) {
        return new ExportCallback(null, null, steps, directory);
    }

    /**
     * Sets whether smaller or larger values of the metric are better. Default:
     * {@link MetricMode#of derived from the metric's name}.
     */
    public ExportCallback mode(MetricMode newMode) {
        return new ExportCallback(metric, Objects.requireNonNull(newMode, "mode"), steps, target);
    }

    /**
     * Returns whether this callback writes one file, that of the best model; if false, it writes a file for each
     * version to a directory.
     */
    public boolean best() {
        return metric != null;
    }

    /** Returns the file of the best model, or the directory of the files. */
    public Path target() {
        return target;
    }

    /** Returns whether a file's ending is one of an exported model. */
    static boolean isExport(Path file) {
        return EXPORTS.stream().anyMatch(file.toString()::endsWith);
    }

    private Optional<MetricMode> effectiveMode(String name) {
        return mode == null ? MetricMode.of(name) : Optional.of(mode);
    }

    @Override
    public List<String> problems(Training training) {
        String name = metric;
        List<String> problems = new ArrayList<>();
        if (name == null) {
            if (steps < 1) {
                problems.add(this + ": steps must be at least 1, was " + steps);
            }
            if (mode != null) {
                problems.add(this + " follows no metric, so it has no mode");
            }
            return problems;
        }
        problems.addAll(MetricMode.problems(toString(), name, effectiveMode(name), training));
        if (!isExport(target)) {
            problems.add(
                    this + " must name an .npz, .safetensors or .onnx file, for example out/best.npz; was " + target);
        }
        return problems;
    }

    @Override
    public TrainingCallback begin(String state) {
        String name = metric;
        return name == null ? new Every() : new Best(name, effectiveMode(name).orElse(MetricMode.MIN), state);
    }

    /** Returns, for example, {@code Export of the best accuracy} or {@code Export every 1000 steps}. */
    @Override
    public String toString() {
        return metric == null ? "Export every " + steps + " steps" : "Export of the best " + metric;
    }

    private final class Every implements TrainingCallback {
        @Override
        public long everySteps() {
            return steps;
        }

        @Override
        public void onStep(long version, TrainingControl control) throws Exception {
            control.export(target.resolve("model-" + version + ".npz"));
        }

        @Override
        public String toString() {
            return ExportCallback.this.toString();
        }
    }

    private final class Best implements TrainingCallback {
        private final String followed;
        private final MetricMode better;
        private double best = Double.NaN;

        private Best(String followed, MetricMode better, String state) {
            this.followed = followed;
            this.better = better;
            if (!state.isEmpty()) {
                best = Double.parseDouble(state);
            }
        }

        @Override
        public String state() {
            return Double.toString(best);
        }

        /** Returns true, because writing the file again gives the same file. */
        @Override
        public boolean repeatable() {
            return true;
        }

        @Override
        public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) throws Exception {
            double value = MetricMode.followed(toString(), followed, version, metrics);
            if (better.better(value, best, 0)) {
                control.export(target);
                best = value;
            }
        }

        @Override
        public String toString() {
            return ExportCallback.this.toString();
        }
    }
}
