package dev.edl.runtime.program;

import dev.edl.runtime.Evaluation;
import dev.edl.runtime.PassBuilder;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Program that evaluates, predicts or trains with a model of known weights. Its first argument is {@code evaluate} or the
 * file of the outputs or of the trained model; the others are the kills of its processes.
 */
public final class PassProgram {
    static final String EVALUATE = "evaluate";
    /** An evaluation of a model that does not exist. */
    static final String MISSING = "missing";
    /** An evaluation without metrics. */
    static final String MISTAKE = "mistake";

    static final long VERSION = 120;
    static final float[] WEIGHTS = {-1, 0.25f, 1, 2.5f, 3, 0.5f};

    private PassProgram() {}

    static Evaluation evaluation(Model model) {
        return pass(Evaluation.builder(), model).build();
    }

    static Prediction prediction(Model model, Path file) {
        return pass(Prediction.builder(), model).to(PredictionWriter.npy(file)).build();
    }

    private static <B extends PassBuilder<B>> B pass(B builder, Model model) {
        return builder.model(model)
                .data(Fixture.records())
                .from(trained(model))
                .minibatch(4)
                .minibatchesPerTask(2);
    }

    private static TrainedModel trained(Model model) {
        return TrainedModel.of(model.layout(), WEIGHTS, VERSION);
    }

    public static void main(String[] args) {
        Doom doom = Doom.of(System.getenv(), Arrays.asList(args).subList(1, args.length));
        AtomicInteger progress = new AtomicInteger();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> doom.reached("exit", 0)));
        if (args[0].equals(MISSING) || args[0].equals(MISTAKE)) {
            TrainingProgram.evaluate(
                    args,
                    job -> job.workers(2),
                    () -> pass(Evaluation.builder(), doom.model())
                            .from(Path.of("nothing.npz"))
                            .metrics(args[0].equals(MISSING) ? new Metric[] {Metric.accuracy()} : new Metric[0])
                            .build());
        } else if (args[0].equals(EVALUATE)) {
            TrainingProgram.evaluate(
                    args,
                    job -> job.workers(2),
                    () -> pass(Evaluation.builder(), doom.model())
                            .onTraining(event -> reached(event, doom, progress))
                            .build());
        } else if (args[0].endsWith(".npz")) {
            TrainingProgram.run(
                    args,
                    () -> Fixture.training(doom.model())
                            .learningRate(LearningRateSchedule.custom("tiny", step -> tiny(doom, step)))
                            .epochs(1)
                            .from(trained(doom.model()))
                            .export(Path.of(args[0]))
                            .build());
        } else {
            TrainingProgram.predict(
                    args,
                    job -> job.workers(2),
                    () -> pass(Prediction.builder(), doom.model())
                            .onTraining(event -> reached(event, doom, progress))
                            .to(PredictionWriter.npy(Path.of(args[0])))
                            .build());
        }
    }

    /** Returns a rate at which no float changes. */
    private static double tiny(Doom doom, long step) {
        doom.reached("update", step);
        return 1e-12;
    }

    private static void reached(TrainingEvent event, Doom doom, AtomicInteger progress) {
        if (event instanceof TrainingEvent.Progressed) {
            doom.reached("progress", progress.incrementAndGet());
        }
    }
}
