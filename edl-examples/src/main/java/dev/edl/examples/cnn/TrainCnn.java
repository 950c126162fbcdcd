package dev.edl.examples.cnn;

import dev.edl.Job;
import dev.edl.cli.CommandRunner;
import dev.edl.examples.DatasetRecords;
import dev.edl.examples.FlagMistakes;
import dev.edl.examples.OutputFolder;
import dev.edl.examples.PlotStyle;
import dev.edl.examples.PredictionJob;
import dev.edl.examples.RunReporter;
import dev.edl.examples.TrainingFlags;
import dev.edl.examples.TrainingRunView;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.LearningRateSchedule;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.MnistCnn;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Trains ElasticDL's MNIST network, either on the examples' own digits, enlarged to MNIST's size, or on MNIST's files.
 * A prediction job then predicts the held-out images, and the wrong predictions are drawn as pictures.
 */
@Command(
        name = "edl-examples/run cnn",
        description = "Trains a convolutional network on images of digits: on those that come with the examples,"
                + " enlarged to 28 x 28, or on files in MNIST's format, plain or .gz. Then a prediction job finds the"
                + " held-out images that it misclassifies.",
        sortOptions = false)
public final class TrainCnn implements Callable<Integer> {
    private static final String PREDICTIONS = "predictions.npy";
    private static final String MISTAKES = "mistakes.png";
    private static final String KERNELS = "kernels.png";
    private static final Duration LIMIT = Duration.ofHours(12);
    private static final int EVALUATIONS = 8;

    @Option(
            names = "--images",
            paramLabel = "FILE",
            description = "Images of 28 x 28 bytes, for example train-images-idx3-ubyte.gz. Default: the digits that"
                    + " come with the examples")
    private @Nullable Path images;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "Their digits, for example train-labels-idx1-ubyte.gz")
    private @Nullable Path labels;

    @Option(
            names = "--test-images",
            paramLabel = "FILE",
            description = "Images to measure on, for example t10k-images-idx3-ubyte.gz. Default: the last sixth of"
                    + " --images")
    private @Nullable Path testImages;

    @Option(
            names = "--test-labels",
            paramLabel = "FILE",
            description = "Their digits, for example t10k-labels-idx1-ubyte.gz")
    private @Nullable Path testLabels;

    @Option(names = "--ps", paramLabel = "N", description = "Parameter servers. Default: ${DEFAULT-VALUE}")
    private int ps = 2;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            description = "Passes over the data. Default: 10, and with --images 1")
    private @Nullable Integer epochs;

    @Option(
            names = "--evaluation-steps",
            paramLabel = "N",
            description = "An evaluation every N versions. Default: eight evaluations in all")
    private @Nullable Integer evaluationSteps;

    @Option(
            names = "--optimizer",
            paramLabel = "RULE",
            description = "sgd, adam or adagrad, for example sgd:learning_rate=0.1; the rate falls to 0 by a cosine."
                    + " Default: ${DEFAULT-VALUE}")
    private String optimizer = "adam:learning_rate=0.001";

    @Mixin
    private TrainingFlags flags = new TrainingFlags(2, 16, "cnn");

    private final PrintStream out;

    /** Creates an example that prints to a stream. */
    TrainCnn(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the example. Exits with 0 when the job succeeded and applied each record exactly once, 1 when not, 2 when a
     * flag or a file is wrong, and 130 on Ctrl-C.
     */
    public static void main(String[] args) {
        System.exit(CommandRunner.run(new TrainCnn(System.out), System.err, args));
    }

    @Override
    public Integer call() throws Exception {
        checkFlags();
        OutputFolder folder = flags.folder(PREDICTIONS, MISTAKES, KERNELS);
        try (DigitImages data = data()) {
            Model model = new MnistCnn();
            Training training = training(model, data, folder);
            Job job = Job.builder()
                    .name("cnn")
                    .elasticdl()
                    .master()
                    .ps(ps)
                    .workers(flags.workers())
                    .build();
            out.printf(
                    Locale.ROOT,
                    "Training: %s, %,d parameters%n",
                    training,
                    model.layout().trained());
            out.println();
            return run(job, training, data, folder);
        }
    }

    private void checkFlags() {
        FlagMistakes mistakes = flags.check(new FlagMistakes())
                .atLeast(1, "--ps", ps, 2)
                .atLeast(1, "--epochs", passes(), 10)
                .readable("--optimizer", optimizer, Optimizer::parse)
                .file("--images", images)
                .file("--labels", labels)
                .file("--test-images", testImages)
                .file("--test-labels", testLabels)
                .unless(
                        (images == null) == (labels == null),
                        "--images and --labels must be given together, for example --images"
                                + " train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz")
                .unless(
                        (testImages == null) == (testLabels == null),
                        "--test-images and --test-labels must be given together, for example --test-images"
                                + " t10k-images-idx3-ubyte.gz --test-labels t10k-labels-idx1-ubyte.gz")
                .unless(
                        testImages == null || images != null,
                        "--test-images must be given with --images, the images to train on");
        if (evaluationSteps != null) {
            mistakes.atLeast(0, "--evaluation-steps", evaluationSteps, 100);
        }
        mistakes.end();
    }

    private DigitImages data() throws IOException {
        return images != null && labels != null
                ? DigitImages.idx(images, labels, testImages, testLabels)
                : DigitImages.enlarged(flags.output().resolve("data"));
    }

    private int passes() {
        return epochs != null ? epochs : images == null ? 10 : 1;
    }

    private Training training(Model model, DigitImages data, OutputFolder folder) {
        long steps = data.train().records() * passes() / flags.minibatch();
        Optimizer rule = Optimizer.parse(optimizer);
        TrainingBuilder training = Training.builder()
                .model(model)
                .data(data.train())
                .validation(data.test())
                .optimizer(rule)
                // Decays to 0 at the end, so that the last steps converge.
                .learningRate(LearningRateSchedule.cosine(rule.learningRate(), Math.max(1, steps)))
                .minibatchesPerTask(4)
                .epochs(passes())
                .evaluationSteps(
                        evaluationSteps != null
                                ? evaluationSteps
                                : (int) Math.min(Integer.MAX_VALUE, 1 + steps / EVALUATIONS))
                .logLossSteps(100)
                .checkpointSteps(200);
        return flags.apply(training, folder).build();
    }

    private int run(Job job, Training training, DigitImages data, OutputFolder folder)
            throws InterruptedException, IOException {
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job);
                RunReporter outcome = RunReporter.follow(TrainingRunView.of(run), out, flags.resuming(), "accuracy")) {
            JobStatus end = run.await(LIMIT);
            String title = String.format(
                    Locale.ROOT,
                    "%s, %s: %,d images x %d epochs, minibatch %d",
                    data.name(),
                    training.model().getClass().getSimpleName(),
                    data.train().records(),
                    training.epochs(),
                    flags.minibatch());
            int code = outcome.print(end, folder, title);
            if (end.phase() == JobPhase.SUCCEEDED) {
                predict(run.result().orElseThrow().model(), data, folder, outcome);
            }
            return code;
        }
    }

    /** Predicts the held-out images with the trained model. */
    private void predict(TrainedModel trained, DigitImages data, OutputFolder folder, RunReporter outcome)
            throws IOException, InterruptedException {
        Path file = folder.file(PREDICTIONS);
        float[] predictions = PredictionJob.run(new MnistCnn(), trained, data.test(), flags.workers(), file);
        DigitPredictions answers = new DigitPredictions(DatasetRecords.labels(data.test()), predictions);
        outcome.picture(folder.file(MISTAKES), png -> PlotStyle.write(png, CnnPlots.mistakes(answers, data.test())));
        outcome.picture(folder.file(KERNELS), png -> PlotStyle.write(png, CnnPlots.kernels(trained)));
        out.println("  predictions  " + file);
        out.println("Prediction job: " + answers);
    }
}
