package dev.edl.examples.clicks;

import dev.edl.Job;
import dev.edl.examples.DatasetRecords;
import dev.edl.examples.OutputFolder;
import dev.edl.examples.PredictionJob;
import dev.edl.examples.RunReporter;
import dev.edl.examples.TrainingFlags;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Report of the trained model's quality: compares its predictions for the held-out records with those of a linear model
 * and, if known, with the true probabilities.
 */
final class ClickReport {
    private static final String PREDICTIONS = "predictions.npy";
    private static final String LINEAR = "predictions-linear.npy";
    private static final String QUALITY = "quality.png";

    /** Names of the files that the report writes to the output folder. */
    static final String[] FILES = {PREDICTIONS, LINEAR, QUALITY};

    private static final int LINEAR_EPOCHS = 3;
    private static final Duration LIMIT = Duration.ofHours(1);

    private final ClickSource clicks;
    private final TrainingFlags flags;
    private final OutputFolder folder;
    private final PrintStream out;

    ClickReport(ClickSource clicks, TrainingFlags flags, OutputFolder folder, PrintStream out) {
        this.clicks = clicks;
        this.flags = flags;
        this.folder = folder;
        this.out = out;
    }

    /** Trains the linear model, runs both prediction jobs, writes the charts and prints the comparison. */
    void print(Training training, TrainingResult result, RunReporter outcome) throws IOException, InterruptedException {
        float[] labels = DatasetRecords.labels(clicks.test());
        float[] deep = predict(training.model(), result.model(), PREDICTIONS);
        LinearClickModel model = new LinearClickModel(ClickData.FIELDS, ClickData.NUMERIC);
        float[] linear = predict(model, linear(model, training), LINEAR);
        Auc deepAuc = new Auc(labels, deep);
        Auc linearAuc = new Auc(labels, linear);
        Optional<Auc> best = clicks.truth().map(truth -> new Auc(labels, truth));
        outcome.picture(
                folder.file(QUALITY),
                png -> ClickPlots.write(png, deepAuc, linearAuc, best, new Calibration(labels, deep)));
        out.println("  predictions  " + folder.file(PREDICTIONS));
        for (EmbeddingValues table : result.tables()) {
            out.printf(Locale.ROOT, "Embedding table %s: %,d rows%n", table.name(), table.size());
        }
        out.printf(
                Locale.ROOT,
                "Prediction job: %,d held-out records, ranked with an area under the ROC curve of%n",
                labels.length);
        out.printf(Locale.ROOT, "  %.4f  by DeepFM%n", deepAuc.area());
        out.printf(Locale.ROOT, "  %.4f  by a linear model of the same ids and numbers%n", linearAuc.area());
        best.ifPresent(auc -> out.printf(
                Locale.ROOT, "  %.4f  by the truth, the probabilities that they were drawn with%n", auc.area()));
    }

    private float[] predict(Model model, TrainedModel trained, String file) throws IOException, InterruptedException {
        Path npy = folder.file(file);
        return PredictionJob.run(model, trained, clicks.test(), flags.workers(), npy);
    }

    /** Trains the linear model with the settings of the trained model, for at most three epochs. */
    private TrainedModel linear(LinearClickModel model, Training like) throws IOException, InterruptedException {
        Training training = Training.builder()
                .model(model)
                .data(clicks.train())
                .optimizer(like.optimizer())
                .consistency(Consistency.parse(flags.staleness()))
                .minibatch(flags.minibatch())
                .seed(flags.seed())
                .epochs(Math.min(LINEAR_EPOCHS, like.epochs()))
                .build();
        Job job = Job.builder()
                .name("linear")
                .elasticdl()
                .master()
                .ps(1)
                .workers(flags.workers())
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            JobStatus end = run.await(LIMIT);
            if (end.phase() != JobPhase.SUCCEEDED) {
                throw new IOException("job " + end.job() + " " + end.phase() + ": " + end.message());
            }
            return run.result().orElseThrow().model();
        }
    }
}
