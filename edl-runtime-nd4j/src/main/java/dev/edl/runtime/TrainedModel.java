package dev.edl.runtime;

import dev.edl.runtime.data.NpzArray;
import dev.edl.runtime.data.NpzReader;
import dev.edl.runtime.ps.Checkpoint;
import dev.edl.runtime.ps.CheckpointStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The parameters of a model at one version: what an {@link Evaluation} or a {@link Prediction} computes with, and what a
 * training has come to. Immutable.
 *
 * <pre>{@code
 * TrainedModel newest = TrainedModel.load(Path.of("checkpoints"));
 * TrainedModel exported = TrainedModel.load(Path.of("model.npz"));
 * TrainedModel mine = run.result().orElseThrow().model();
 * }</pre>
 */
public final class TrainedModel {
    /** The version of a model that does not say which it is, as one from an {@code .npz} file. */
    public static final long UNKNOWN_VERSION = 0;

    private final ParameterLayout layout;
    private final float[] parameters;
    private final long version;

    private TrainedModel(ParameterLayout layout, float[] parameters, long version) {
        this.layout = layout;
        this.parameters = parameters;
        this.version = version;
    }

    /**
     * A model of copied parameters.
     *
     * @param parameters {@code layout.size()} floats in the order of the layout
     * @param version updates made, at least 0
     */
    public static TrainedModel of(ParameterLayout layout, float[] parameters, long version) {
        return owned(layout, parameters.clone(), version);
    }

    /** A model that takes the array over. */
    static TrainedModel owned(ParameterLayout layout, float[] parameters, long version) {
        if (parameters.length != layout.size()) {
            throw new IllegalArgumentException(
                    "a model of " + layout.size() + " parameters must have as many values, had " + parameters.length);
        }
        if (version < 0) {
            throw new IllegalArgumentException("a model's version must be at least 0, was " + version);
        }
        return new TrainedModel(layout, parameters, version);
    }

    /**
     * Reads a model.
     *
     * @param from a checkpoint ({@code checkpoints/version-120}), a directory of checkpoints (then the newest valid one),
     *     or an {@code .npz} file as {@link TrainingBuilder#export} writes it
     * @throws IOException when it cannot be read, or there is no valid checkpoint; the message names the path and the
     *     reason
     */
    public static TrainedModel load(Path from) throws IOException {
        if (!Files.exists(from)) {
            throw new FileNotFoundException(
                    "there is no trained model at " + from + "; a model is read from a directory of checkpoints, a"
                            + " version-N directory in it, or an .npz file");
        }
        if (!Files.isDirectory(from)) {
            return ofArrays(NpzReader.read(from));
        }
        Path name = from.getFileName();
        if (name != null && name.toString().startsWith("version-")) {
            return of(CheckpointStore.load(from));
        }
        List<String> skipped = new ArrayList<>();
        return of(new CheckpointStore(from, 0)
                .latest(skipped::add)
                .orElseThrow(() -> new FileNotFoundException("no valid checkpoint to take the model from in " + from
                        + (skipped.isEmpty() ? "" : ": " + String.join("; ", skipped)))));
    }

    private static TrainedModel of(Checkpoint checkpoint) {
        return new TrainedModel(checkpoint.layout(), checkpoint.weights(), checkpoint.version());
    }

    private static TrainedModel ofArrays(Map<String, NpzArray> arrays) {
        ParameterLayout.Builder layout = ParameterLayout.builder();
        for (NpzArray array : arrays.values()) {
            layout.add(
                    array.name(),
                    array.shape().stream().mapToInt(Integer::intValue).toArray());
        }
        ParameterLayout built = layout.build();
        float[] parameters = new float[built.size()];
        for (Parameter p : built.parameters()) {
            NpzArray array = arrays.get(p.name());
            if (array != null) {
                System.arraycopy(array.values(), 0, parameters, p.offset(), p.length());
            }
        }
        return new TrainedModel(built, parameters, UNKNOWN_VERSION);
    }

    /** Names and shapes of the parameters. */
    public ParameterLayout layout() {
        return layout;
    }

    /** The parameters in the order of the layout; a copy. */
    public float[] parameters() {
        return parameters.clone();
    }

    /** The parameters themselves, not to be written. */
    float[] shared() {
        return parameters;
    }

    /** Updates made; {@link #UNKNOWN_VERSION} when the model came from an {@code .npz} file. */
    public long version() {
        return version;
    }

    /**
     * The parameters in the order of a model's own layout, which must have the same names and shapes; not to be written.
     *
     * @throws IllegalArgumentException naming the first parameter that differs
     */
    float[] fittedTo(ParameterLayout model) {
        float[] fitted = new float[model.size()];
        for (Parameter wanted : model.parameters()) {
            Parameter found = layout.parameters().stream()
                    .filter(p -> p.name().equals(wanted.name()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the model has the parameter " + wanted + ", but what was trained has only " + layout));
            if (!found.shape().equals(wanted.shape())) {
                throw new IllegalArgumentException(
                        "the model has the parameter " + wanted + ", but what was trained has " + found);
            }
            System.arraycopy(parameters, found.offset(), fitted, wanted.offset(), wanted.length());
        }
        if (layout.parameters().size() != model.parameters().size()) {
            throw new IllegalArgumentException(
                    "the model has " + model.parameters().size() + " parameters, but what was trained has " + layout);
        }
        return fitted;
    }

    /** For example {@code model version 120, 111,114 parameters}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "model version %d, %,d parameters", version, layout.size());
    }
}
