package dev.edl.runtime;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.internal.text.SignificantDigits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Event that a training delivers to its listeners while it runs.
 *
 * <p>Events are delivered one at a time and in order, on a thread of the run.
 */
public sealed interface TrainingEvent {
    /**
     * Loss that one worker reports.
     *
     * <p>As in ElasticDL, each worker reports the loss of its own minibatch, once in each
     * {@linkplain Training#logLossSteps logging interval} of the model version. A worker that joins late reports the
     * loss of its first minibatch.
     *
     * @param worker the replica's name
     * @param steps the model version: the largest of the shards' versions
     * @param loss mean loss of the worker's minibatch
     */
    record Loss(String worker, long steps, float loss) implements TrainingEvent {
        /** Returns ElasticDL's log line: {@code Loss = 0.693, steps = 100}. */
        @Override
        public String toString() {
            return "Loss = " + SignificantDigits.of(loss) + ", steps = " + steps;
        }
    }

    /**
     * An evaluation is complete. A master that takes over may deliver this event again, before it calls the callbacks.
     *
     * @param step the evaluated model version
     * @param metrics metric name to value
     */
    record Evaluation(long step, Map<String, Double> metrics) implements TrainingEvent {
        /**
         * Returns ElasticDL's log line with six digits: <code>Evaluation metrics[step=200]: {accuracy=0.91,
         * loss=0.31}</code>.
         */
        @Override
        public String toString() {
            return "Evaluation metrics[step=" + step + "]: " + SignificantDigits.of(metrics);
        }
    }

    /**
     * A task was completed, or an evaluation progressed.
     *
     * @param progress the current progress of the training
     */
    record Progressed(Progress progress) implements TrainingEvent {
        @Override
        public String toString() {
            return progress.toString();
        }
    }

    /**
     * The master starts to assign the tasks of an epoch.
     *
     * @param epoch counted from 0
     * @param tasks the number of its tasks
     */
    record EpochStarted(int epoch, int tasks) implements TrainingEvent {
        /**
         * Returns ElasticDL's log line, with epochs counted from 1 as in {@link Progress}: {@code Starting epoch 1}.
         */
        @Override
        public String toString() {
            return "Starting epoch " + (epoch + 1);
        }
    }

    /**
     * The training resumes from a checkpoint.
     *
     * @param from the work of the earlier runs
     */
    record Resumed(ResumedProgress from) implements TrainingEvent {
        @Override
        public String toString() {
            return "The training " + from;
        }
    }

    /**
     * The training stops early and assigns no new task. A master that takes over shortly afterwards may deliver this
     * event again.
     *
     * @param steps the model version at the decision
     * @param reason why the training stops, for people
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
     * @param file an {@code .npz} or {@code .safetensors} file with one float32 array for each parameter,
     *     or an {@code .onnx} file
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
     * @param result the summary of the written outputs
     */
    record Predicted(PredictionResult result) implements TrainingEvent {
        @Override
        public String toString() {
            return result.toString();
        }
    }

    /**
     * The parameters of a running evaluation were lost with a parameter server.
     *
     * <p>Callbacks are not called for that evaluation. The version is evaluated again when all parameter servers reach
     * it again.
     *
     * @param step the version whose evaluation was lost
     */
    record EvaluationLost(long step) implements TrainingEvent {
        @Override
        public String toString() {
            return "The evaluation of version " + step + " is lost with a parameter server";
        }
    }

    /**
     * The best version was lost with a parameter server, and no checkpoint could restore it. The result is the last
     * version, unless a callback keeps another one.
     *
     * @param step the lost model version
     */
    record BestVersionLost(long step) implements TrainingEvent {
        @Override
        public String toString() {
            return "The best version, " + step + ", is lost with a parameter server";
        }
    }

    /**
     * A master ended during the call of a callback. The call may have had effects, and is not repeated.
     *
     * @param callback name of the callback
     * @param what the event of the call
     */
    record CallbackCutOff(String callback, String what) implements TrainingEvent {
        @Override
        public String toString() {
            return "The callback " + callback + " was interrupted by the end of its master, at " + what
                    + "; the call is not repeated";
        }
    }

    /** A new master started from scratch: no parameter server or checkpoint of the earlier master was left. */
    record BegunAnew() implements TrainingEvent {
        @Override
        public String toString() {
            return "The training restarted from scratch: no shard and no checkpoint of an earlier master exists";
        }
    }

    /**
     * The ledger requeued tasks. Their worker left or was silent for the lease timeout, or a parameter server lost
     * their updates.
     *
     * @param worker text for people: the worker's name, followed by the lease timeout if the worker was silent; or
     *     {@code a parameter server that came back}, which does not name the server
     * @param tasks number of requeued tasks
     */
    record TasksRecovered(String worker, int tasks) implements TrainingEvent {
        @Override
        public String toString() {
            return tasks + (tasks == 1 ? " task" : " tasks") + " recovered from " + worker;
        }
    }

    /**
     * A replica is absent: it is not connected to the master, or does not respond. Emitted after 10 s, each time the
     * absence has doubled, and when the replica becomes overdue.
     *
     * @param replica the replica's name, for example {@code ps-0}; {@code every worker} if no worker takes an evaluation
     * @param since length of the absence so far, in whole seconds
     * @param waiting text for people: the replicas and actions that wait for it, for example {@code 3 workers and the
     *     checkpoint wait for it}
     * @param overdue whether the replica must be replaced, even if its process still runs; see {@link
     *     TrainingBuilder#absenceTimeout}
     */
    record ReplicaAbsent(String replica, Duration since, String waiting, boolean overdue) implements TrainingEvent {
        /** Returns the text, for example {@code ps-0 is absent for 20s; 3 workers wait for it}. */
        @Override
        public String toString() {
            return replica + " is absent for " + DurationText.of(since) + "; " + waiting;
        }
    }

    /**
     * A replica has returned whose absence was reported.
     *
     * @param replica the replica's name, for example {@code ps-0}
     * @param absence length of the absence, in whole seconds
     */
    record ReplicaReturned(String replica, Duration absence) implements TrainingEvent {
        /** Returns the text, for example {@code ps-0 has returned after 35s}. */
        @Override
        public String toString() {
            return replica + " has returned after " + DurationText.of(absence);
        }
    }
}
