package dev.edl.runtime.inprocess;

import dev.edl.exec.JobStatus;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.model.Model;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * Program that trains with checkpoints and is killed: it prints {@code midway} at a step and then waits. With
 * {@code resume}, it resumes from the checkpoints to the end and prints the result.
 */
final class KilledTraining {
    private static final long MIDWAY = 150;

    private KilledTraining() {}

    static TrainingBuilder training(Model model, Path folder) {
        return Fixture.training(model)
                .checkpointDirectory(folder)
                .checkpointSteps(20)
                .evaluationSteps(50);
    }

    /** Takes the checkpoint directory, and {@code resume} the second time. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        TrainingBuilder training = training(model, folder);
        if (arguments.length > 1) {
            model.before(step -> {});
            training.resumeFrom(folder);
        } else {
            CountDownLatch killed = new CountDownLatch(1);
            model.before(step -> {
                if (step >= MIDWAY) {
                    Waits.on(killed);
                }
            });
            training.callback(new TrainingCallback() {
                @Override
                public void onCheckpoint(long version, Path directory, TrainingControl control) {
                    if (version > MIDWAY / 2) {
                        System.out.println("midway, with " + directory.getFileName());
                    }
                }
            });
        }
        training.onTraining(event -> {
            if (!(event instanceof TrainingEvent.Progressed)) {
                System.out.println(event);
            }
        });
        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            JobStatus end = run.await(Fixture.LIMIT);
            System.out.println("end: " + end.phase());
            TrainingResult result = run.result().orElseThrow();
            System.out.println(result.proof());
            System.out.println("exactly once: " + result.exactlyOnce() + ", records: " + result.records() + ", steps: "
                    + result.steps() + ", before: " + result.resumed().orElseThrow());
        }
    }
}
