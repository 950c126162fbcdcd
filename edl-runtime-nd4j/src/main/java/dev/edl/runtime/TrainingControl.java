package dev.edl.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/** Operations of a training that a {@link TrainingCallback} may use; valid during the call to which it was passed. */
public interface TrainingControl {
    /**
     * Stops the training early; the job then succeeds, and its result has the reason.
     *
     * <p>All parameter servers store the stop before it takes effect, so a later master keeps to it. No new task is
     * assigned. Assigned tasks are completed, so each record is trained exactly once or not at all.
     *
     * @param reason the reason, for people
     * @return false if the training was already stopped, or all records are trained
     * @throws IllegalArgumentException for a blank reason
     */
    boolean stop(String reason);

    /**
     * Returns the model of this call: the evaluated version in {@link TrainingCallback#onEvaluation}, otherwise the
     * current parameters.
     */
    TrainedModel model() throws InterruptedException;

    /**
     * Writes {@link #model()} as {@link TrainingBuilder#export} does, and notifies the listeners.
     *
     * @param file an {@code .npz}, {@code .safetensors} or {@code .onnx} file; an existing file is replaced;
     *     a missing folder is created
     * @throws IOException when it cannot be written
     */
    void export(Path file) throws IOException, InterruptedException;

    /**
     * Selects the evaluated version as the result of the training instead of the last one.
     *
     * <p>The parameter servers and the checkpoints keep the version, so a later master and a resumed training have it.
     * They keep only one such version.
     *
     * @param metrics metrics of the evaluated version by name, for {@link TrainingResult#metrics}
     * @return false if the version's parameters are lost; the result of the training is then unchanged
     * @throws IllegalStateException outside of {@link TrainingCallback#onEvaluation}
     */
    boolean keep(Map<String, Double> metrics) throws InterruptedException;

    /**
     * Returns the version that a callback has made the result of the training; empty if the result is the last version.
     *
     * <p>It becomes empty again if a parameter server loses the version.
     */
    OptionalLong kept();
}
