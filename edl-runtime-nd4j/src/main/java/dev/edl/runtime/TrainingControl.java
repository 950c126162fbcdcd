package dev.edl.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/** What a {@link TrainingCallback} may ask of the training; valid during the call that it was given to. */
public interface TrainingControl {
    /**
     * Ends the training before its time. All parameter servers know of it before it takes effect, so no later master forgets it. No new task is handed out; those that were are finished, so that each record is
     * trained exactly once or not at all. The job then succeeds, and its result says why it was stopped.
     *
     * @param reason why, for people
     * @return false when the training was stopped before, or all of it is trained
     * @throws IllegalArgumentException for a blank reason
     */
    boolean stop(String reason);

    /**
     * The parameters that the call is about: of the version that was evaluated in
     * {@link TrainingCallback#onEvaluation}, else those of the moment.
     */
    TrainedModel model() throws InterruptedException;

    /**
     * Writes {@link #model()} as {@link TrainingBuilder#export} does, and tells the listeners.
     *
     * @param npzFile replaced when it is there; its folder is created when it is not
     * @throws IOException when it cannot be written
     */
    void export(Path npzFile) throws IOException, InterruptedException;

    /**
     * Makes the version that was evaluated the result of the training, in the place of the last one. The parameter servers keep
     * it and it is in checkpoints, so it outlives the master, and a training that is resumed has it. They keep one such version.
     *
     * @param metrics its figures by name, for {@link TrainingResult#metrics}
     * @return false when its parameters are lost, so that the result stays as it was
     * @throws IllegalStateException outside of {@link TrainingCallback#onEvaluation}
     */
    boolean keep(Map<String, Double> metrics) throws InterruptedException;

    /**
     * Returns the version that is to be the result; empty for the last one. It is empty again when a parameter server has lost
     * the version.
     */
    OptionalLong kept();
}
