package dev.edl.examples.clicks;

import dev.edl.Job;
import dev.edl.cli.CommandRunner;
import dev.edl.examples.FlagMistakes;
import dev.edl.examples.OnOffFlag;
import dev.edl.examples.OutputFolder;
import dev.edl.examples.PacedDataset;
import dev.edl.examples.RunReporter;
import dev.edl.examples.TrainingFlags;
import dev.edl.examples.TrainingRunView;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.EarlyStop;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.DeepFm;
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
 * Trains DeepFM on synthetic clicks or on a file in Criteo's format, with embedding tables on the parameter servers.
 * Midway a worker is deleted and a parameter server killed. The training ends when the AUC no longer grows.
 */
@Command(
        name = "edl-examples/run clicks",
        description = "Trains a DeepFM, whose embedding tables are on the parameter servers, to predict clicks: made-up"
                + " ones, whose truth is known, or those of a file in Criteo's format. Midway a worker is deleted and"
                + " a parameter server killed.",
        sortOptions = false)
public final class TrainClicks implements Callable<Integer> {
    /** Share of the training at which reads wait until a deleted worker has been replaced. */
    private static final double DELETED = 0.2;

    /** Share of the training at which reads wait until a killed parameter server runs again. */
    private static final double KILLED = 0.4;

    private static final Duration LIMIT = Duration.ofHours(12);

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description = "Clicks in Criteo's format: tab-separated label, 13 counts and 26 texts; or a file .parquet"
                    + " with the columns label, I1 to I13 and C1 to C26. Default: made-up ones")
    private @Nullable Path data;

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "Made-up clicks to train on; a sixth as many are held out. Default: ${DEFAULT-VALUE}")
    private int records = 150_000;

    @Option(names = "--ps", paramLabel = "N", description = "Parameter servers. Default: ${DEFAULT-VALUE}")
    private int ps = 2;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            description = "Passes over the data, at most. Default: ${DEFAULT-VALUE}")
    private int epochs = 6;

    @Option(
            names = "--evaluation-steps",
            paramLabel = "N",
            description = "An evaluation every N versions. Default: ${DEFAULT-VALUE}")
    private int evaluationSteps = 500;

    @Option(
            names = "--patience",
            paramLabel = "N",
            description = "Evaluations without a better AUC after which the training ends. Default: ${DEFAULT-VALUE}")
    private int patience = 3;

    @Option(
            names = "--optimizer",
            paramLabel = "RULE",
            description = "sgd, adam or adagrad, for example sgd:learning_rate=0.1. Default: ${DEFAULT-VALUE}")
    private String optimizer = "adagrad:learning_rate=0.02";

    @Option(
            names = "--chaos",
            paramLabel = "on|off",
            description = "Whether a worker is deleted and a parameter server killed midway. Default: ${DEFAULT-VALUE}")
    private OnOffFlag chaos = OnOffFlag.on;

    @Mixin
    private TrainingFlags flags = new TrainingFlags(4, 64, "clicks");

    private final PrintStream out;

    /** Creates an example that prints to a stream. */
    TrainClicks(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the example. Exits with 0 when the job succeeded and applied each record exactly once, 1 when not, 2 when a
     * flag or the file is wrong, and 130 on Ctrl-C.
     */
    public static void main(String[] args) {
        System.exit(CommandRunner.run(new TrainClicks(System.out), System.err, args));
    }

    @Override
    public Integer call() throws Exception {
        flags.check(new FlagMistakes())
                .atLeast(100, "--records", records, 150_000)
                .atLeast(1, "--ps", ps, 2)
                .atLeast(1, "--epochs", epochs, 6)
                .atLeast(1, "--evaluation-steps", evaluationSteps, 500)
                .atLeast(1, "--patience", patience, 3)
                .readable("--optimizer", optimizer, Optimizer::parse)
                .file("--data", data)
                .end();
        OutputFolder folder = flags.folder(ClickReport.FILES);
        try (ClickSource clicks = data != null
                ? ClickSource.criteo(data)
                : ClickSource.madeUp(flags.output().resolve("data"), flags.seed(), records, records / 6)) {
            PacedDataset paced = new PacedDataset(clicks.train(), clicks.train().records() * epochs, DELETED, KILLED);
            DeepFm model = DeepFm.builder()
                    .fields(ClickData.FIELDS)
                    .numeric(ClickData.NUMERIC)
                    .build();
            Training training = training(model, chaos == OnOffFlag.on ? paced : clicks.train(), clicks.test(), folder);
            out.println("Training: " + training);
            out.println("Model: " + model + ", embedding tables " + model.embeddings());
            out.println();
            return run(training, clicks, folder, paced);
        }
    }

    private Training training(DeepFm model, Dataset train, Dataset test, OutputFolder folder) {
        TrainingBuilder training = Training.builder()
                .model(model)
                .data(train)
                .validation(test)
                .optimizer(Optimizer.parse(optimizer))
                .minibatchesPerTask(8)
                .epochs(epochs)
                .metrics(Metric.auc(), Metric.accuracy(), Metric.crossEntropy())
                .evaluationSteps(evaluationSteps)
                .callback(EarlyStop.on("auc").patience(patience).minDelta(0.0005))
                .logLossSteps(2000)
                .checkpointSteps(1000);
        return flags.apply(training, folder).build();
    }

    private int run(Training training, ClickSource clicks, OutputFolder folder, PacedDataset paced)
            throws InterruptedException, IOException {
        Job job = Job.builder()
                .name("clicks")
                .elasticdl()
                .master()
                .ps(ps)
                .workers(flags.workers())
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job);
                RunReporter outcome = RunReporter.follow(TrainingRunView.of(run), out, flags.resuming(), "auc")) {
            boolean shaken = chaos == OnOffFlag.off || shake(run, outcome, paced);
            JobStatus end = run.await(LIMIT);
            if (!shaken && end.phase() == JobPhase.SUCCEEDED) {
                outcome.line("The training ended before all changes were made; use more --epochs.");
            }
            String title = String.format(
                    Locale.ROOT,
                    "%s, DeepFM: %,d records, minibatch %d, staleness %s",
                    clicks.name(),
                    clicks.train().records(),
                    flags.minibatch(),
                    flags.staleness());
            int code = outcome.print(end, folder, title);
            if (end.phase() == JobPhase.SUCCEEDED) {
                new ClickReport(clicks, flags, folder, out)
                        .print(training, run.result().orElseThrow(), outcome);
            }
            return code;
        }
    }

    /**
     * Deletes a worker and later kills a parameter server; the other replicas continue, and both are replaced.
     *
     * @return false when the job ended before all changes were made
     */
    private boolean shake(TrainingRun run, RunReporter outcome, PacedDataset paced) throws InterruptedException {
        String victim = "ps-" + (ps - 1);
        try {
            if (!outcome.awaitProgress(DELETED / 2, () -> paced.reached(DELETED))
                    || !outcome.awaitWorkers(flags.workers())
                    || !outcome.change("worker-0 deleted", () -> run.delete("worker-0"))
                    || !outcome.awaitWorkers(flags.workers(), "worker-" + flags.workers())) {
                return false;
            }
            paced.goOn(DELETED);
            if (!outcome.awaitProgress((DELETED + KILLED) / 2, () -> paced.reached(KILLED))
                    || !outcome.change(victim + " killed", () -> run.kill(victim))
                    || !outcome.awaitRestart(victim)) {
                return false;
            }
            outcome.table("after the kill of " + victim);
            return true;
        } finally {
            paced.goOn(1);
        }
    }
}
