package dev.edl.runtime;

import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.model.ParameterValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Immutable parameters of a model at one version: the input of an {@link Evaluation} or {@link Prediction}, and the
 * result of a training.
 *
 * <pre>{@code
 * TrainedModel newest = TrainedModel.load(Path.of("checkpoints"));
 * TrainedModel exported = TrainedModel.load(Path.of("model.npz"));
 * TrainedModel mine = run.awaitResult(limit).model();
 *
 * float[] scores = mine.predict(5.1f, 3.5f, 1.4f, 0.2f);                      // one record
 * int best = exported.using(Mlp.of(4, 3)).predictClass(5.1f, 3.5f, 1.4f, 0.2f);
 * }</pre>
 *
 * <p>The predict methods open and close their own session, so several threads may call them at once. For many records
 * {@link #predictAll} costs less than one call for each, and a {@link Prediction} job reads the records from files.
 */
public final class TrainedModel {
    /** Version of a model whose version is unknown, such as one from an exported file. */
    public static final long UNKNOWN_VERSION = 0;

    private final ParameterLayout layout;
    private final ParameterValues values;
    private final @Nullable Model model;
    private final RecordNames names;

    private TrainedModel(ParameterLayout layout, ParameterValues values, @Nullable Model model, RecordNames names) {
        this.layout = layout;
        this.values = values;
        this.model = model;
        this.names = names;
    }

    /**
     * Returns a model of copied parameters, without embedding tables.
     *
     * @param parameters {@code layout.size()} floats in the order of the layout
     * @param version number of updates that the parameters contain, at least 0
     */
    public static TrainedModel of(ParameterLayout layout, float[] parameters, long version) {
        return of(layout, new Values(version, parameters.clone(), List.of()));
    }

    /** Source of a trained model, which is read only when a job is submitted. */
    public interface Source {
        /**
         * Returns the model.
         *
         * @throws IOException if it cannot be read
         */
        TrainedModel load() throws IOException;

        /** Returns the source of a model in memory. */
        static Source of(TrainedModel trained) {
            return new InMemory(trained);
        }

        /** Returns the source of a model that {@link TrainedModel#load} reads. */
        static Source of(Path from) {
            return new OnDisk(from);
        }
    }

    private record InMemory(TrainedModel trained) implements Source {
        @Override
        public TrainedModel load() {
            return trained;
        }

        @Override
        public String toString() {
            return trained.toString();
        }
    }

    private record OnDisk(Path from) implements Source {
        @Override
        public TrainedModel load() throws IOException {
            return TrainedModel.load(from);
        }

        @Override
        public String toString() {
            return from.toString();
        }
    }

    /**
     * Returns the parameters of a snapshot without a model to compute with; {@link #using} must set one before it
     * predicts.
     */
    public static TrainedModel of(ParameterLayout layout, ParameterValues values) {
        return of(layout, values, null);
    }

    /** Returns the parameters of a snapshot with the model that computes with them, so that it can predict. */
    public static TrainedModel of(Model model, ParameterValues values) {
        return of(model.layout(), values, model);
    }

    /** Returns the parameters of a snapshot with the model of their training and the names of its data. */
    public static TrainedModel of(Training training, ParameterValues values) {
        return of(training.model(), values).named(training.data().names());
    }

    private static TrainedModel of(ParameterLayout layout, ParameterValues values, @Nullable Model model) {
        if (values.weights().length != layout.size()) {
            throw new IllegalArgumentException("a model of " + layout.size()
                    + " parameters must have as many values, had " + values.weights().length);
        }
        return new TrainedModel(layout, values, model, RecordNames.UNKNOWN);
    }

    /**
     * Reads a model.
     *
     * @param from a checkpoint ({@code checkpoints/version-120}), a directory of checkpoints (then the newest valid
     *     one), or an {@code .npz} or {@code .safetensors} file as {@link TrainingBuilder#export} writes it
     * @throws IOException when it cannot be read, or there is no valid checkpoint; the message names the path and the
     *     reason
     */
    public static TrainedModel load(Path from) throws IOException {
        return EngineProvider.installed().load(from);
    }

    /**
     * Writes this model to a file, which a valid file replaces atomically.
     *
     * @param file an {@code .npz} or {@code .safetensors} file, which {@link #load} reads, or an {@code .onnx} file
     *     for programs without EDL; see {@code dev.edl.runtime.onnx.OnnxExport}
     * @throws IllegalArgumentException when the name has another ending, or the model has no ONNX form
     * @throws IOException when the file cannot be written
     */
    public void export(Path file) throws IOException {
        EngineProvider.installed().export(this, file);
    }

    /**
     * Returns these parameters combined with the model that computes with them.
     *
     * <p>The {@link TrainingResult#model()} of a training already has its model.
     *
     * @param computing the model that was trained
     * @throws IllegalArgumentException when the model's parameters or tables differ from these; the message names the
     *     first that differs
     */
    public TrainedModel using(Model computing) {
        return of(computing, fittedTo(computing)).named(names);
    }

    /**
     * Returns the outputs for one record: a probability for each class of a classifier.
     *
     * @param features feature values of the record, prepared as for training, for example standardised
     * @throws IllegalArgumentException when the model takes another number of features, or takes ids
     * @throws IllegalStateException when these parameters were read from a file and {@link #using} has not set the
     *     model
     */
    public float[] predict(float... features) {
        return predict(features, new long[0]);
    }

    /**
     * Returns the outputs for one record that has ids.
     *
     * @param features see {@link #predict(float...)}
     * @param ids ids of the record, as many as the model takes; a negative value means none
     */
    public float[] predict(float[] features, long[] ids) {
        return new InMemoryPredictor(computing(), values)
                .to(List.of(features), List.of(ids))
                .get(0);
    }

    /**
     * Returns the class index of one record: the index of the largest output.
     *
     * <p>For a model with one output, the class is 1 if that output is above 0.5, otherwise 0.
     *
     * @param features see {@link #predict(float...)}
     * @throws IllegalArgumentException when an output is NaN; the message names it, and the feature that is not finite
     */
    public int predictClass(float... features) {
        float[] scores = predict(features);
        for (int i = 0; i < scores.length; i++) {
            if (Float.isNaN(scores[i])) {
                throw new IllegalArgumentException(
                        "output " + i + " is NaN, so no class can be picked: " + reason(features));
            }
        }
        if (scores.length == 1) {
            return scores[0] > 0.5f ? 1 : 0;
        }
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        return best;
    }

    private static String reason(float[] features) {
        for (int i = 0; i < features.length; i++) {
            if (!Float.isFinite(features[i])) {
                return "feature " + i + " must be finite, was " + features[i];
            }
        }
        return "every feature is finite, so the cause is in the parameters; predict(...) returns all outputs";
    }

    /**
     * Returns the outputs for each of the records, in their order.
     *
     * @param records features of each record, see {@link #predict(float...)}
     */
    public List<float[]> predictAll(List<float[]> records) {
        return new InMemoryPredictor(computing(), values).to(records, Collections.nCopies(records.size(), new long[0]));
    }

    /**
     * Returns the model that computes with these parameters.
     *
     * @throws IllegalStateException when these parameters were read from a file and {@link #using} has not set it
     */
    public Model computing() {
        Model known = model;
        if (known == null) {
            throw new IllegalStateException(
                    "a model from a file or from parameters alone cannot predict; set the model that computes with it,"
                            + " for example trained.using(Mlp.of(4, 3)).predict(5.1f, 3.5f, 1.4f, 0.2f)");
        }
        return known;
    }

    /** Returns this model with the names of the features and classes that it was trained on. */
    public TrainedModel named(RecordNames trainedOn) {
        return new TrainedModel(layout, values, model, trainedOn);
    }

    /**
     * Returns the names of the features and classes of the training's data, also of a model from a checkpoint or an
     * exported file; unknown if the data has none.
     */
    public RecordNames names() {
        return names;
    }

    /** Returns the names and shapes of the parameters, including state. */
    public ParameterLayout layout() {
        return layout;
    }

    /** Returns a copy of the parameters in the order of the layout. */
    public float[] parameters() {
        return values.weights().clone();
    }

    /** Returns the embedding tables, in the order of the trained model. */
    public List<EmbeddingValues> tables() {
        return List.copyOf(values.tables());
    }

    /** Returns the parameters themselves, not a copy; callers must not write to the array. */
    private float[] shared() {
        return values.weights();
    }

    /** Returns the number of updates; {@link #UNKNOWN_VERSION} for a model from an exported file. */
    public long version() {
        return values.version();
    }

    /**
     * Returns these parameters and tables, arranged in the order of a model with the same names and shapes.
     *
     * @throws IllegalArgumentException when names or shapes differ; the message names the first parameter or table that
     *     differs
     */
    public ParameterValues fittedTo(Model model) {
        return new Values(version(), weights(model.layout()), tables(model.embeddings()));
    }

    private float[] weights(ParameterLayout model) {
        float[] fitted = new float[model.size()];
        for (Parameter wanted : model.parameters()) {
            Parameter found = layout.parameters().stream()
                    .filter(p -> p.name().equals(wanted.name()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the model has the parameter " + wanted + ", but the trained model has only " + layout));
            if (!found.shape().equals(wanted.shape())) {
                throw new IllegalArgumentException(
                        "the model has the parameter " + wanted + ", but the trained model has " + found);
            }
            System.arraycopy(shared(), found.offset(), fitted, wanted.offset(), wanted.length());
        }
        if (layout.parameters().size() != model.parameters().size()) {
            throw new IllegalArgumentException(
                    "the model has " + model.parameters().size() + " parameters, but the trained model has " + layout);
        }
        return fitted;
    }

    private List<EmbeddingValues> tables(List<EmbeddingTable> model) {
        List<EmbeddingValues> fitted = new ArrayList<>();
        for (EmbeddingTable wanted : model) {
            fitted.add(tables().stream()
                    .filter(t -> t.name().equals(wanted.name()) && t.dimension() == wanted.dimension())
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the model has the embedding table " + wanted
                            + ", but the trained model has " + tables())));
        }
        if (tables().size() != model.size()) {
            throw new IllegalArgumentException(
                    "the model has " + model.size() + " embedding tables, but the trained model has " + tables());
        }
        return fitted;
    }

    /** Returns, for example, {@code model version 120, 111,114 parameters}, and the tables if there are any. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "model version %d, %,d parameters", version(), layout.size())
                + (tables().isEmpty() ? "" : ", " + tables());
    }

    /** Values that are in no snapshot of shards. */
    private static final class Values implements ParameterValues {
        private final long version;
        private final float[] weights;
        private final List<EmbeddingValues> tables;

        private Values(long version, float[] weights, List<EmbeddingValues> tables) {
            if (version < 0) {
                throw new IllegalArgumentException("a model's version must be at least 0, was " + version);
            }
            this.version = version;
            this.weights = weights;
            this.tables = tables;
        }

        @Override
        public long version() {
            return version;
        }

        @Override
        public float[] weights() {
            return weights;
        }

        @Override
        public List<EmbeddingValues> tables() {
            return tables;
        }
    }
}
