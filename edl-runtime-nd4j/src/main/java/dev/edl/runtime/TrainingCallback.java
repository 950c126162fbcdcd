package dev.edl.runtime;

import dev.edl.runtime.inprocess.TrainingRun;
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
 * replaced, is told as soon as it can be. The workers go on meanwhile, so a stop takes effect
 * some steps behind the event that it answers. While a callback has not returned, no task is taken from a silent worker
 * and no checkpoint is written, so what takes long belongs on a thread of the callback's own.
 *
 * <p>A master may be replaced at any moment. The next one {@linkplain #begin begins} the callbacks with what they remembered, which
 * all parameter servers keep:
 *
 * <ul>
 *   <li>{@link #onEvaluation}, {@link #onCheckpoint} and {@link #onEnd} are called at most once for an event. That a call begins is
 *       recorded before it, and what the callback remembers after it. A call that its master did not survive is not made again,
 *       {@link TrainingEvent.CallbackCutOff} tells of it, and the callback remembers what it did before that call.
 *   <li>Of a {@linkplain #repeatable repeatable} callback such a call is made again, from the same state. What the callback remembers
 *       has then seen each event exactly once.
 *   <li>{@link #onStep} is called at least once: a call that its master did not survive is made again, of the same version or a
 *       later one.
 *   <li>A stop, and a version that is kept as the best, take effect once, however often the call is made that orders it.
 * </ul>
 *
 * <p>A callback that throws fails the training; the message names the callback, what it was told, and the exception.
 * To only look on, {@link TrainingRun#onTraining} is the better place: a listener's mistake is not the training's.
 */
public interface TrainingCallback {
    /**
     * What is called by one master; asked at the start of each. A callback that remembers something returns a new object, so
     * that the same {@link Training} can be run several times and no master takes over what was not recorded.
     *
     * @param state what {@link #state()} was at the last call of an earlier master, or at the checkpoint that the run goes on
     *     from; empty for a run from the start, or when no callback of this class was in this place
     */
    default TrainingCallback begin(String state) {
        return this;
    }

    /**
     * What the callback remembers, kept by all parameter servers and in every checkpoint; asked after each call. Not null; empty
     * unless overridden. All that a master decides has to fit 64 KiB: what is larger belongs in a file.
     */
    default String state() {
        return "";
    }

    /**
     * Whether a call that its master did not survive may be made again: one that only changes what the callback remembers, gives
     * orders to the {@link TrainingControl} and has effects elsewhere that do no harm twice. False unless overridden.
     */
    default boolean repeatable() {
        return false;
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

    /** The training has succeeded. This is the last call, and the result is published after it. */
    default void onEnd(TrainingResult result) throws Exception {}
}
