package dev.edl.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * User code that a training calls at its events and that may stop it, like a Keras callback.
 *
 * <pre>{@code
 * Training training = Training.builder()
 *     ...
 *     .callback(EarlyStop.on("loss").patience(3))
 *     .callback(ExportCallback.best("accuracy", Path.of("best.npz")))
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
 * <p>The master calls all callbacks of a run on one thread at a time, in the order in which they were added. Every
 * callback receives an event before any receives the next one. Events that occur during a call or a change of master
 * are delivered afterwards. Workers continue meanwhile, so a stop takes effect some steps after its event.
 *
 * <p>Until a callback returns, the master takes no task back from a silent worker and writes no checkpoint. Run long
 * work on a thread of the callback's own.
 *
 * <p>A master may be replaced at any moment. The next master {@linkplain #begin begins} the callbacks with their saved
 * state, which all parameter servers keep:
 *
 * <ul>
 *   <li>{@link #onEvaluation}, {@link #onCheckpoint} and {@link #onEnd} are called at most once for an event. The
 *       master records the start of a call before it, and the state of the callback after it.
 *   <li>A call during which the master ended is not repeated. {@link TrainingEvent.CallbackCutOff} reports it, and the
 *       callback has its state from before that call.
 *   <li>For a {@linkplain #repeatable repeatable} callback, such a call is repeated from the same state. The state has
 *       then seen each event exactly once.
 *   <li>{@link #onStep} is called at least once. A call during which the master ended is repeated, with the same or a
 *       later version.
 *   <li>A stop, and the choice of a best version, take effect once, even if the call that requests it is repeated.
 * </ul>
 *
 * <p>A callback that throws fails the training; the message names the callback, the event and the exception. To observe
 * only, use {@code TrainingRun.onTraining}: a listener that throws does not fail the training.
 */
public interface TrainingCallback {
    /**
     * Returns the callback for one master; called when a master starts.
     *
     * <p>A callback with state must return a new object. Then the same {@link Training} can be run several times, and
     * no master inherits state that was not recorded.
     *
     * @param state value that {@link #state()} returned after the last call of an earlier master, or at the checkpoint
     *     from which the run resumes; empty for a new run, or if no callback of this class was at this position
     */
    default TrainingCallback begin(String state) {
        return this;
    }

    /**
     * Returns the callback's state, which parameter servers and checkpoints store. Must not be null. Default: empty.
     *
     * <p>The master calls this method after {@link #begin}, after each call for an event, and after it skips a call
     * that {@link TrainingEvent.CallbackCutOff} reports.
     *
     * <p>The states of all callbacks and the master's other stored decisions must together fit into 64 KiB; otherwise
     * the training fails. Larger state belongs in a file.
     */
    default String state() {
        return "";
    }

    /**
     * Returns whether a call during which the master ended may be repeated. Default: false.
     *
     * <p>A repeatable callback only changes its state, uses its {@link TrainingControl}, and has other effects that are
     * idempotent.
     */
    default boolean repeatable() {
        return false;
    }

    /**
     * Returns the reasons why the callback cannot be used in a training; {@link TrainingBuilder#build()} reports them.
     * Default: none.
     */
    default List<String> problems(Training training) {
        return List.of();
    }

    /** Returns the interval of {@link #onStep} in model versions, at least 0. Default: 0, for never. */
    default long everySteps() {
        return 0;
    }

    /**
     * Called when the model version has passed a multiple of {@link #everySteps()}.
     *
     * <p>The master checks about ten times a second. Multiples that are passed between two checks are one call.
     *
     * @param version the newest version
     */
    default void onStep(long version, TrainingControl control) throws Exception {}

    /**
     * Called when an evaluation is complete.
     *
     * <p>Concurrent evaluations are delivered in the order of completion, which may differ from that of their versions.
     *
     * @param version the evaluated version; {@link TrainingControl#model()} has its parameters
     * @param metrics metric name to value
     */
    default void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) throws Exception {}

    /** Called when a checkpoint was written. */
    default void onCheckpoint(long version, Path directory, TrainingControl control) throws Exception {}

    /** Called when the training has succeeded. This is the last call; the result is published after it. */
    default void onEnd(TrainingResult result) throws Exception {}
}
