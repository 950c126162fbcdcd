package dev.edl.runtime;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Bounds of a training's numbers and durations, and checks of its paths. */
final class TrainingBounds {
    private static final int MAX_TASK_RECORDS = 1 << 20;
    private static final Duration LONGEST = Duration.ofDays(365);

    private TrainingBounds() {}

    static void check(TrainingBuilder b, List<String> problems) {
        atLeast(1, "minibatch", b.minibatch, 64, problems);
        atLeast(1, "minibatchesPerTask", b.minibatchesPerTask, 8, problems);
        atLeast(1, "epochs", b.epochs, 5, problems);
        atLeast(0, "evaluationSteps", b.evaluationSteps, 200, problems);
        atLeast(0, "logLossSteps", b.logLossSteps, 100, problems);
        atLeast(0, "checkpointSteps", b.checkpointSteps, 1000, problems);
        atLeast(0, "keepCheckpoints", b.keepCheckpoints, 3, problems);
        atLeast(1, "maxTaskFailures", b.maxTaskFailures, 4, problems);
        if (b.maxSteps < 0) {
            problems.add("maxSteps must be at least 0, where 0 means no bound, was " + b.maxSteps
                    + "; for example .maxSteps(1000)");
        }
        if (b.minibatch > 0
                && b.minibatchesPerTask > 0
                && (long) b.minibatch * b.minibatchesPerTask > MAX_TASK_RECORDS) {
            problems.add("minibatch x minibatchesPerTask must be at most " + MAX_TASK_RECORDS
                    + " records, because a worker holds a task in memory; was " + b.minibatch + " x "
                    + b.minibatchesPerTask);
        }
        timeout("taskTimeout", b.taskTimeout, "Duration.ofMinutes(5)", problems);
        timeout("roundTimeout", b.roundTimeout, "Duration.ofSeconds(10)", problems);
        timeout("absenceTimeout", b.absenceTimeout, "Duration.ofMinutes(10)", problems);
    }

    /** Checks the paths of a training, and the settings that need one. */
    static void checkFiles(TrainingBuilder b, List<String> problems) {
        if (b.checkpointSteps > 0 && b.checkpointDirectory == null) {
            problems.add("checkpointSteps is " + b.checkpointSteps + " but there is no checkpointDirectory; add"
                    + " .checkpointDirectory(path)");
        }
        if (b.keepNamed && b.checkpointDirectory == null) {
            problems.add("keepCheckpoints is " + b.keepCheckpoints + " but there is no checkpointDirectory; add"
                    + " .checkpointDirectory(path)");
        }
        Path resume = b.resumeFrom;
        if (resume != null && Files.exists(resume) && !Files.isDirectory(resume)) {
            problems.add("resumeFrom must name a version-N directory or the directory that holds them, was " + resume
                    + ", which is a file");
        }
        if (b.export != null && !ExportCallback.isExport(b.export)) {
            problems.add(
                    "export must name an .npz, .safetensors or .onnx file, for example out/model.npz; was " + b.export);
        }
        if (resume != null && b.from != null) {
            problems.add("from is " + b.from + " and resumeFrom is " + resume
                    + ", which has parameters of its own; leave one" + " of them out");
        }
    }

    private static void atLeast(int least, String name, int value, int example, List<String> problems) {
        if (value < least) {
            problems.add(name + " must be at least " + least + ", was " + value + "; for example ." + name + "("
                    + example + ")");
        }
    }

    private static void timeout(String name, Duration value, String example, List<String> problems) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            problems.add(name + " must be positive and at most 365 days, for example " + example + "; was " + value);
        }
    }
}
