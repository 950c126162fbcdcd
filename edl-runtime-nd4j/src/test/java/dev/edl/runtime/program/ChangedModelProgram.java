package dev.edl.runtime.program;

import dev.edl.runtime.Prediction;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Program whose training begins with a file that changes while it runs. Arguments: {@code replaced}, {@code deleted} or
 * {@code kept}, the file, the checkpoint directory, and the kills. Or {@code predict}, the model's file and the outputs.
 */
public final class ChangedModelProgram {
    private ChangedModelProgram() {}

    private static Training training(String[] args) {
        Doom doom = Doom.of(System.getenv(), Arrays.asList(args).subList(3, args.length));
        Path file = Path.of(args[1]);
        TrainingBuilder training = Fixture.training(doom.model())
                .learningRate(LearningRateSchedule.custom("tiny", step -> {
                    if (step >= 10) {
                        change(args[0], file, doom.model());
                    }
                    doom.reached("update", step);
                    return 1e-12;
                }))
                .epochs(1)
                .from(file)
                .export(file.resolveSibling("trained.npz"));
        return args[2].equals("none")
                ? training.build()
                : training.checkpointDirectory(Path.of(args[2]))
                        .checkpointSteps(5)
                        .build();
    }

    private static void change(String how, Path file, LogisticModel model) {
        Path changed = file.resolveSibling("changed");
        try {
            if (how.equals("kept") || Files.exists(changed)) {
                return;
            }
            Files.createFile(changed);
            Files.delete(file);
            if (how.equals("replaced")) {
                TrainedModel.of(model.layout(), new float[] {9, 9, 9, 9, 9, 9}, 1)
                        .export(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Prediction prediction(String[] args) {
        return Prediction.builder()
                .model(new LogisticModel(Fixture.FEATURES))
                .data(Fixture.records())
                .from(Path.of(args[1]))
                .minibatch(4)
                .minibatchesPerTask(2)
                .to(PredictionWriter.npy(Path.of(args[2])))
                .build();
    }

    public static void main(String[] args) throws IOException {
        if (args[0].equals("predict")) {
            TrainingProgram.predict(args, job -> job.workers(2), () -> prediction(args));
        } else if (args[0].equals("write")) {
            TrainedModel.of(new LogisticModel(Fixture.FEATURES).layout(), PassProgram.WEIGHTS, 7)
                    .export(Path.of(args[1]));
        } else {
            TrainingProgram.run(args, job -> job.ps(2).workers(2), () -> training(args));
        }
    }
}
