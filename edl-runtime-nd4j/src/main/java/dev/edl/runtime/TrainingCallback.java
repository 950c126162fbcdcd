package dev.edl.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Code of the user's that a training calls as it goes, and that may stop it: what Keras calls a callback.
 *
 * <pre>{@code
 * Training training = Training.builder()
 *     ...
 *     .callback(EarlyStop.on("loss").patience(3))
 *     .callback(Export.best("accuracy", Path.of("best.npz")))
 *     .callback(new TrainingCallback() {
 *       public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) {
 *         if (metrics.get("accuracy") > 0.99) {
 *           control.stop("accuracy is above 0.99");
 *         }
 *       }
 *     })
 *     .build();
 * }</pre>
 *
 * <p>All callbacks of a run are called by one thread at a time, the master's, in the order in which they were added; one
 * event is told to all of them before the next. What happened while the master was busy with a callback, or was being
 * replaced, is told as soon as it can be; nothing is told twice. The workers go on meanwhile, so a stop takes effect
 * some steps behind the event that it answers. While a callback has not returned, no task is taken from a silent worker
 * and no checkpoint is written, so what takes long belongs on a thread of the callback's own.
 *
 * <p>A callback that throws fails the training; the message names the callback, what it was told, and the exception.
 * To only look on, {@link TrainingRun#onTraining} is the better place: a listener's mistake is not the training's.
 */
public interface TrainingCallback {
    /**
     * What is called in one run; asked once at its start. A callback that remembers something returns a new object, so
     * that the same {@link Training} can be run several times.
     *
     * @param state what {@link #state()} was when the checkpoint was written that the run goes on from; empty for a run
     *     from the start, or when the checkpoint knows no callback of this class in this place
     */
    default TrainingCallback begin(String state) {
        return this;
    }

    /** What the callback remembers, kept in every checkpoint; asked after each call. Not null; empty unless overridden. */
    default String state() {
        return "";
    }

    /**
     * What keeps the callback from being used in a training, reported by {@link TrainingBuilder#build()}; nothing unless
     * overridden.
     */
    default List<String> problems(Training training) {
        return List.of();
    }

    /** How often {@link #onStep} is called, in model versions, at least 0; 0, unless overridden, for never. */
    default long everySteps() {
        return 0;
    }

    /**
     * The model version has passed a multiple of {@link #everySteps()}. Where versions follow each other faster than the
     * master looks, about ten times a second, several multiples are one call.
     *
     * @param version the newest version
     */
    default void onStep(long version, TrainingControl control) throws Exception {}

    /**
     * An evaluation is complete. Several that are open at once are told in the order in which they become complete, which
     * need not be that of their versions.
     *
     * @param version what was evaluated; {@link TrainingControl#model()} has its parameters
     * @param metrics metric name to value
     */
    default void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) throws Exception {}

    /** A checkpoint was written. */
    default void onCheckpoint(long version, Path directory, TrainingControl control) throws Exception {}

    /** The training has succeeded: called once, last, before anybody else can see the result. */
    default void onEnd(TrainingResult result) throws Exception {}
}
