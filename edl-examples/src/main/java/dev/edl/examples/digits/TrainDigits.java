package dev.edl.examples.digits;

import static dev.edl.Priority.HIGH;
import static dev.edl.Priority.LOW;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.examples.Flags;
import dev.edl.examples.Outcome;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.InProcessExecutor;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingRun;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.RecordIoDataset;
import dev.edl.runtime.model.Mlp;
import dev.edl.runtime.ps.Consistency;
import dev.edl.runtime.ps.Optimizer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The main example: ElasticDL's walk-through in one JVM. A job of a master, two parameter servers and four workers
 * learns handwritten digits; midway a worker is deleted, then the workers are scaled out and in, and nothing restarts.
 */
@Command(
        name = "edl-examples/run digits",
        description = "Trains a classifier of handwritten digits in this JVM, by a job of parameter servers and"
                + " workers. Midway worker-0 is deleted, then the workers are scaled out and in.",
        sortOptions = false,
        mixinStandardHelpOptions = false)
public final class TrainDigits implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofMinutes(30);

    @Option(names = "--workers", paramLabel = "N", description = "Workers at the start. Default: ${DEFAULT-VALUE}")
    private int workers = 4;

    @Option(names = "--ps", paramLabel = "N", description = "Parameter servers. Default: ${DEFAULT-VALUE}")
    private int ps = 2;

    @Option(names = "--epochs", paramLabel = "N", description = "Passes over the data. Default: ${DEFAULT-VALUE}")
    private int epochs = 60;

    @Option(names = "--minibatch", paramLabel = "N", description = "Records a gradient. Default: ${DEFAULT-VALUE}")
    private int minibatch = 16;

    @Option(
            names = "--evaluation-steps",
            paramLabel = "N",
            description = "An evaluation every N versions. Default: ${DEFAULT-VALUE}")
    private int evaluationSteps = 200;

    @Option(
            names = "--staleness",
            paramLabel = "N|unbounded",
            description = "Updates that may lie between pull and push: 0 is synchronous, unbounded asynchronous."
                    + " Default: ${DEFAULT-VALUE}")
    private String staleness = "unbounded";

    @Option(
            names = "--optimizer",
            paramLabel = "RULE",
            description = "sgd or adam, for example sgd:learning_rate=0.1,momentum=0.9. Default: ${DEFAULT-VALUE}")
    private String optimizer = "adam:learning_rate=0.001";

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of initial values and shuffles. Default: ${DEFAULT-VALUE}")
    private long seed = 42;

    @Option(
            names = "--chaos",
            paramLabel = "on|off",
            description = "Whether a worker is deleted and the workers are scaled midway. Default: ${DEFAULT-VALUE}")
    private OnOff chaos = OnOff.on;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "Where checkpoint, model, events and picture go. Default: ${DEFAULT-VALUE}")
    private Path output = Path.of("edl-out", "digits");

    @SuppressWarnings("UnusedVariable")
    @Option(names = "--help", usageHelp = true, description = "Shows this text.")
    private boolean help;

    private final PrintStream out = System.out;

    /** The words of {@code --chaos}. */
    enum OnOff {
        on,
        off
    }

    /** Runs the example; exits with 0 when the job succeeded, 1 when it failed, 2 when a flag is wrong. */
    public static void main(String[] args) {
        System.exit(Flags.run(new TrainDigits(), args));
    }

    @Override
    public Integer call() throws Exception {
        Job job = job();
        try (RecordIoDataset train = DigitsData.train(output.resolve("data"));
                RecordIoDataset test = DigitsData.test(output.resolve("data"))) {
            Training training = training(train, test);
            out.println(job.plan());
            out.println("Training: " + training);
            out.println();
            try (InProcessExecutor executor = InProcessExecutor.of(training);
                    TrainingRun run = executor.submit(job)) {
                Outcome outcome = Outcome.follow(run, out);
                if (chaos == OnOff.on) {
                    shake(run, outcome);
                }
                JobStatus end = run.await(LIMIT);
                return outcome.print(end, output, "digits: " + training);
            }
        }
    }

    private Job job() {
        JobBuilder job = Job.builder()
                .name("test-digits")
                .image("registry.example/acme/digits:1")
                .elasticdl()
                .master()
                .priority(HIGH)
                .request("cpu=2,memory=2048Mi")
                .ps(ps)
                .priority(HIGH)
                .request("cpu=2,memory=2048Mi")
                .workers(workers)
                .priority(LOW)
                .request("cpu=2,memory=2048Mi")
                .elastic(1, Math.max(8, workers + 2));
        return job.build();
    }

    private Training training(Dataset train, Dataset test) {
        return Training.builder()
                .model(Mlp.of(64, 128, 64, 10))
                .data(train)
                .validation(test)
                .optimizer(Optimizer.parse(optimizer))
                .consistency(Consistency.parse(staleness))
                .minibatch(minibatch)
                .minibatchesPerTask(8)
                .epochs(epochs)
                .evaluationSteps(evaluationSteps)
                .seed(seed)
                .logLossSteps(500)
                .checkpointDirectory(output.resolve("checkpoints"))
                .checkpointSteps(1000)
                .export(output.resolve("model.npz"))
                .tensorboard(output.resolve("events"))
                .build();
    }

    /** What the walk-through does with kubectl: deletes a worker, then scales out, then in. */
    private void shake(TrainingRun run, Outcome outcome) throws Exception {
        outcome.awaitProgress(0.25);
        outcome.table("before worker-0 is deleted", run.status());
        int next = workers;
        run.delete("worker-0");
        outcome.mark("worker-0 deleted");
        outcome.awaitRunning("worker-" + next);
        outcome.table("after: worker-" + next + " has taken over, nothing restarted", run.status());

        outcome.awaitProgress(0.5);
        run.scale("worker", workers + 2);
        outcome.mark("scaled to " + (workers + 2));
        outcome.awaitRunning("worker-" + (next + 2));
        outcome.table("scaled to " + (workers + 2) + " workers", run.status());

        outcome.awaitProgress(0.75);
        run.scale("worker", Math.min(2, workers));
        outcome.mark("scaled to " + Math.min(2, workers));
        outcome.awaitWorkers(Math.min(2, workers));
        outcome.table("scaled to " + Math.min(2, workers) + " workers", run.status());
    }
}
