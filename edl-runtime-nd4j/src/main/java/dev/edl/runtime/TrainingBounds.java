package dev.edl.runtime;

import java.time.Duration;
import java.util.List;

/** Bounds of a training's numbers and durations. */
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
