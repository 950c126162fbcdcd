package dev.edl.runtime;

import dev.edl.runtime.internal.text.SignificantDigits;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a training tells its listeners while it runs.
 *
 * <p>Events are delivered one at a time and in order, on a thread of the run.
 */
public sealed interface TrainingEvent {
    /**
     * The loss that a worker saw. As in ElasticDL each worker reports its own, once in each logging interval of the model
     * version, and a worker that joins late reports its first one.
     *
     * @param worker the replica's name
     * @param steps the model version: the largest of the shards' versions
     * @param loss mean loss of the worker's minibatch
     */
    record Loss(String worker, long steps, float loss) implements TrainingEvent {
        /** ElasticDL's own line: {@code Loss = 0.693, steps = 100}. */
        @Override
        public String toString() {
            return "Loss = " + SignificantDigits.of(loss) + ", steps = " + steps;
        }
    }

    /**
     * An evaluation is complete. Told once more by a master that takes over before callbacks have heard of it.
     *
     * @param step the model version that was evaluated
     * @param metrics metric name to value
     */
    record Evaluation(long step, Map<String, Double> metrics) implements TrainingEvent {
        /** ElasticDL's own line, with six digits: <code>Evaluation metrics[step=200]: {accuracy=0.91, loss=0.31}</code>. */
        @Override
        public String toString() {
            return "Evaluation metrics[step=" + step + "]: " + SignificantDigits.of(metrics);
        }
    }

    /**
     * A task was completed, or an evaluation moved on.
     *
     * @param progress where the training stands now
     */
    record Progressed(Progress progress) implements TrainingEvent {
        @Override
        public String toString() {
            return progress.toString();
        }
    }

    /**
     * An epoch's tasks begin to be handed out.
     *
     * @param epoch counted from 0
     * @param tasks how many tasks it has
     */
    record EpochStarted(int epoch, int tasks) implements TrainingEvent {
        /** ElasticDL's own line, but for epochs counted from 1, as {@link Progress} prints them: {@code Starting epoch 1}. */
        @Override
        public String toString() {
            return "Starting epoch " + (epoch + 1);
        }
    }

    /**
     * The training goes on from a checkpoint.
     *
     * @param from what was done before
     */
    record Resumed(Resumption from) implements TrainingEvent {
        @Override
        public String toString() {
            return "The training " + from;
        }
    }

    /**
     * The training ends before its time: no new task is handed out. Told once more by a master that takes over just behind it.
     *
     * @param steps the model version when that was decided
     * @param reason why
     */
    record Stopped(long steps, String reason) implements TrainingEvent {
        @Override
        public String toString() {
            return "Stopped early at version " + steps + ": " + reason;
        }
    }

    /**
     * A checkpoint was written.
     *
     * @param version the model version
     * @param directory the checkpoint's directory
     */
    record CheckpointWritten(long version, Path directory) implements TrainingEvent {
        @Override
        public String toString() {
            return "Checkpoint version " + version + " written to " + directory;
        }
    }

    /**
     * The trained model was written.
     *
     * @param file an {@code .npz} of one float32 array a parameter
     */
    record Exported(Path file) implements TrainingEvent {
        @Override
        public String toString() {
            return "Model exported to " + file;
        }
    }

    /**
     * A prediction is complete and written.
     *
     * @param result what was written, and where
     */
    record Predicted(PredictionResult result) implements TrainingEvent {
        @Override
        public String toString() {
            return result.toString();
        }
    }

    /**
     * The parameters of an evaluation that was under way were lost with a parameter server. Callbacks are not told of it, and the
     * version is evaluated anew when all parameter servers reach it again.
     *
     * @param step the model version
     */
    record EvaluationLost(long step) implements TrainingEvent {
        @Override
        public String toString() {
            return "The evaluation of version " + step + " is lost with a parameter server";
        }
    }

    /**
     * The best version was lost with a parameter server that no checkpoint could give back. The result is the last version, unless
     * a callback keeps another one.
     *
     * @param step the model version
     */
    record BestVersionLost(long step) implements TrainingEvent {
        @Override
        public String toString() {
            return "The best version, " + step + ", is lost with a parameter server";
        }
    }

    /**
     * A master ended while it told a callback of something. The callback may have been told, and is not told again.
     *
     * @param callback its name
     * @param what it was told of
     */
    record CallbackCutOff(String callback, String what) implements TrainingEvent {
        @Override
        public String toString() {
            return "The callback " + callback + " was cut off with its master, at " + what + "; it is not told again";
        }
    }

    /** An earlier master has led, and nothing is left of what it did: no parameter server, journal or checkpoint. */
    record BegunAnew() implements TrainingEvent {
        @Override
        public String toString() {
            return "The training has begun anew: nothing was left of an earlier master";
        }
    }

    /**
     * Tasks came back from a replica that left.
     *
     * @param worker the replica that had them, or the parameter server whose state came back older
     * @param tasks how many
     */
    record TasksRecovered(String worker, int tasks) implements TrainingEvent {
        @Override
        public String toString() {
            return tasks + (tasks == 1 ? " task" : " tasks") + " recovered from " + worker;
        }
    }
}
