package dev.edl.runtime.engine.files;

import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.ps.Checkpoint;
import dev.edl.runtime.task.LedgerSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Metadata entries of a checkpoint: the settings that must not change while a training continues, and the checkpoint
 * that its run resumed from. The latter lets a later master of the run begin after that checkpoint was deleted.
 */
final class CheckpointMetadata {
    private static final String EPOCHS = "epochs";
    private static final String MAX_STEPS = "maxSteps";
    private static final String FROM = "resumed.from";
    private static final String VERSION = "resumed.version";
    private static final String RECORDS = "resumed.records";
    private static final String TOOK = "resumed.took";

    private CheckpointMetadata() {}

    /**
     * Returns the settings that a run compares with those in a checkpoint, so that a push id denotes the same minibatch
     * in both. Most must be equal; epochs and maxSteps may only grow.
     */
    static Map<String, String> of(Training training, LedgerSpec spec) {
        Map<String, String> metadata = new TreeMap<>();
        metadata.put("data", spec.trainingShards().toString());
        metadata.put("minibatch", Integer.toString(training.minibatch()));
        metadata.put("minibatchesPerTask", Integer.toString(training.minibatchesPerTask()));
        metadata.put("seed", Long.toString(training.seed()));
        metadata.put(EPOCHS, Integer.toString(training.epochs()));
        metadata.put("shuffle", Boolean.toString(training.shuffle()));
        metadata.put(MAX_STEPS, Long.toString(training.maxSteps()));
        return metadata;
    }

    /** Returns the differences that keep a training from continuing a checkpoint, as text for people. */
    static List<String> differences(Checkpoint checkpoint, Training training, LedgerSpec spec) {
        List<String> differences = new ArrayList<>();
        of(training, spec).forEach((key, value) -> {
            String then = checkpoint.metadata().get(key);
            if (key.equals(EPOCHS)) {
                if (then == null || Integer.parseInt(then) > training.epochs()) {
                    differences.add("epochs was " + then + " and may only grow, is " + value);
                }
            } else if (key.equals(MAX_STEPS)) {
                long now = training.maxSteps();
                if (then == null || (now > 0 && (then.equals("0") || Long.parseLong(then) > now))) {
                    differences.add("maxSteps was " + ("0".equals(then) ? "without a bound" : then)
                            + " and may only grow, is " + value);
                }
            } else if (!value.equals(then)) {
                differences.add(key + " was " + then + ", is " + value);
            }
        });
        differences.addAll(
                training.data().names().differences("data", RecordNames.of(checkpoint.metadata()), "the checkpoint"));
        if (!differences.isEmpty()) {
            ParameterLayout here = training.model().layout();
            here.parameters().stream()
                    .filter(parameter -> !checkpoint.layout().parameters().contains(parameter))
                    .findFirst()
                    .ifPresent(parameter -> differences.add(
                            "the model has the parameter " + parameter + ", but it was " + checkpoint.layout()));
        }
        return differences;
    }

    /** Adds the checkpoint that the run resumed from. */
    static void put(ResumedProgress from, Map<String, String> metadata) {
        metadata.put(FROM, from.checkpoint().toString());
        metadata.put(VERSION, Long.toString(from.version()));
        metadata.put(RECORDS, Long.toString(from.records()));
        metadata.put(TOOK, from.took().toString());
    }

    /** Returns the checkpoint that the run of these entries resumed from; empty if it began with initial values. */
    static Optional<ResumedProgress> resumption(Map<String, String> metadata) {
        return Optional.ofNullable(metadata.get(FROM))
                .map(from -> new ResumedProgress(
                        Path.of(from),
                        Long.parseLong(metadata.getOrDefault(VERSION, "0")),
                        Long.parseLong(metadata.getOrDefault(RECORDS, "0")),
                        Duration.parse(metadata.getOrDefault(TOOK, "PT0S"))));
    }
}
