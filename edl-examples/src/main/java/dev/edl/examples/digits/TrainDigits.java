package dev.edl.examples.digits;

import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.cli.CommandRunner;
import dev.edl.examples.ChaosFlag;
import dev.edl.examples.FaultPlan;
import dev.edl.examples.FlagMistakes;
import dev.edl.examples.OutputFolder;
import dev.edl.examples.PacedDataset;
import dev.edl.examples.RandomFaults;
import dev.edl.examples.RunReporter;
import dev.edl.examples.TrainingFlags;
import dev.edl.examples.TrainingRunView;
import dev.edl.examples.WalkThroughGate;
import dev.edl.examples.WorkerPauseFile;
import dev.edl.exec.JobStatus;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.program.ProcessExecutor;
import dev.edl.runtime.program.ProcessRun;
import dev.edl.runtime.program.ProgramJobs;
import dev.edl.runtime.program.TrainingProgram;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The main example: ElasticDL's walk-through in one JVM, or as processes with {@code --processes}. A job of a master,
 * two parameter servers and four workers learns handwritten digits. Midway a worker is deleted, then the workers are
 * scaled out and in, without any restart.
 */
@Command(
        name = "edl-examples/run digits",
        description = "Trains a classifier of handwritten digits, by a job of parameter servers and workers in this"
                + " JVM or as processes. Midway worker-0 is deleted, then the workers are scaled out and in.",
        sortOptions = false,
        mixinStandardHelpOptions = false)
public final class TrainDigits implements Callable<Integer> {
    /** Share of the training at which reads wait until the deletion of a worker has been shown. */
    private static final double DELETED = 0.35;

    /** Share of the training at which reads wait until the scaling out has been shown. */
    private static final double SCALED_OUT = 0.6;
    /** Share of the training at which reads wait until the workers are scaled in. */
    private static final double SCALED_IN = 0.85;

    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** Maximum duration of a run with random faults. */
    private static final Duration FAULTS_LIMIT = Duration.ofMinutes(4);

    /** Name of the folder of {@link WorkerPauseFile} within the folder of the data. */
    private static final String PACE = "pace";
    /** JVM flags of the processes. Each lives for seconds, too short for optimizing compilation to pay off. */
    private static final String LEAN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    @Option(names = "--ps", paramLabel = "N", description = "Parameter servers. Default: ${DEFAULT-VALUE}")
    private int ps = 2;

    @Option(names = "--epochs", paramLabel = "N", description = "Passes over the data. Default: ${DEFAULT-VALUE}")
    private int epochs = 60;

    @Option(
            names = "--evaluation-steps",
            paramLabel = "N",
            description = "An evaluation every N versions. Default: ${DEFAULT-VALUE}")
    private int evaluationSteps = 500;

    @Option(
            names = "--optimizer",
            paramLabel = "RULE",
            description =
                    "sgd, adam or adagrad, for example sgd:learning_rate=0.1,momentum=0.9. Default: ${DEFAULT-VALUE}")
    private String optimizer = "adam:learning_rate=0.003";

    @Option(
            names = "--chaos",
            paramLabel = "on|off|SEED",
            converter = ChaosFlag.Converter.class,
            description = "Whether a worker is deleted and the workers are scaled midway. With --processes, a SEED such"
                    + " as 7 kills or stops any processes in place of that, eight times. Default: ${DEFAULT-VALUE}")
    private ChaosFlag chaos = ChaosFlag.ON;

    @Option(
            names = "--processes",
            description =
                    "Runs master, parameter servers and workers as processes of this machine, each with a log in the"
                            + " output folder; worker-0 is killed by signal 9 in place of being deleted.")
    private boolean processes;

    @Mixin
    private TrainingFlags flags = new TrainingFlags(4, 16, "digits");

    private final PrintStream out;

    /** Creates an example that prints to a stream. */
    TrainDigits(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the example. Exits with 0 when the job succeeded and applied each record exactly once, 1 when not, 2 when a
     * flag is wrong, and 130 on Ctrl-C.
     */
    public static void main(String[] args) {
        System.exit(CommandRunner.run(new TrainDigits(System.out), System.err, args));
    }

    @Override
    public Integer call() throws Exception {
        flags.check(new FlagMistakes())
                .atLeast(1, "--ps", ps, 2)
                .atLeast(1, "--epochs", epochs, 60)
                .atLeast(0, "--evaluation-steps", evaluationSteps, 500)
                .readable("--optimizer", optimizer, Optimizer::parse)
                .unless(
                        processes || chaos.seed().isEmpty(),
                        "--chaos with a seed kills processes; add --processes, or use --chaos on")
                .end();
        Path data = flags.output().resolve("data");
        if (processes && TrainingProgram.isReplica()) {
            TrainingProgram.run(flags.words(), () -> replica(data));
        }
        Job job = job();
        String plan = job.plan().toString();
        OutputFolder folder = flags.folder();
        try (RecordIoDataset train = DigitsData.train(data);
                RecordIoDataset test = DigitsData.test(data)) {
            PacedDataset paced = new PacedDataset(train, train.records() * epochs, DELETED, SCALED_OUT, SCALED_IN);
            Training training = training(folder)
                    .data(chaos.walkThrough() && !processes ? paced : train)
                    .validation(test)
                    .build();
            out.println(processes ? job : plan);
            out.println("Training: " + training);
            out.println();
            return processes ? run(job, training, folder, data) : run(job, training, folder, paced);
        }
    }

    private int run(Job job, Training training, OutputFolder folder, PacedDataset data) throws InterruptedException {
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            return follow(TrainingRunView.of(run), training, folder, data);
        }
    }

    private int run(Job job, Training training, OutputFolder folder, Path data)
            throws IOException, InterruptedException {
        WorkerPauseFile held = new WorkerPauseFile(data.resolve(PACE), DELETED, SCALED_OUT, SCALED_IN);
        try (ProcessExecutor executor = ProcessExecutor.of(
                        LocalExecutor.builder().logsIn(folder.logs()).env("JDK_JAVA_OPTIONS", LEAN));
                ProcessRun run = executor.submit(job)) {
            if (chaos.walkThrough()) {
                run.onTraining(held::heard);
            }
            if (chaos.seed().isPresent()) {
                return strike(run, training, folder);
            }
            return follow(TrainingRunView.of(run), training, folder, held);
        } catch (IllegalStateException closed) {
            RunReporter.awaitInterruption(closed);
            return 1;
        } finally {
            held.clear();
        }
    }

    private int follow(TrainingRunView run, Training training, OutputFolder folder, WalkThroughGate pace)
            throws InterruptedException {
        try (RunReporter outcome = RunReporter.follow(run, out, flags.resuming(), "accuracy")) {
            boolean shaken = !chaos.walkThrough() || shake(run, outcome, pace);
            JobStatus end = run.await(LIMIT);
            if (!shaken && end.phase() == JobPhase.SUCCEEDED) {
                outcome.line("The training ended before all changes were made; use more --epochs.");
            }
            return print(outcome, end, training, folder);
        }
    }

    /** Follows a run while random faults strike it. */
    private int strike(ProcessRun run, Training training, OutputFolder folder) throws InterruptedException {
        try (RunReporter outcome = RunReporter.follow(TrainingRunView.of(run), out, flags.resuming(), "accuracy");
                RandomFaults faults = RandomFaults.start(chaos.seed().orElseThrow(), run, outcome::line)) {
            JobStatus end = run.await(FAULTS_LIMIT);
            faults.close();
            int code = print(outcome, end, training, folder);
            List<String> unexplained = new ArrayList<>(faults.unexplained());
            run.result().flatMap(result -> RandomFaults.lost(training, result)).ifPresent(unexplained::add);
            unexplained.forEach(message -> out.println("No fault explains: " + message));
            return unexplained.isEmpty() ? code : 1;
        }
    }

    private int print(RunReporter outcome, JobStatus end, Training training, OutputFolder folder)
            throws InterruptedException {
        return outcome.print(
                end,
                folder,
                String.format(
                        Locale.ROOT,
                        "Handwritten digits: %,d records x %d epochs, minibatch %d, staleness %s",
                        training.data().records(),
                        epochs,
                        flags.minibatch(),
                        flags.staleness()));
    }

    private Job job() {
        JobBuilder place = processes
                ? ProgramJobs.here(TrainDigits.class, flags.words())
                : Job.builder()
                        .image("registry.example/acme/digits:1")
                        .elasticdl()
                        .master();
        JobBuilder job = place.name("test-digits")
                .priority(HIGH)
                .request("cpu=2,memory=2048Mi")
                .ps(ps)
                .priority(HIGH)
                .request("cpu=2,memory=2048Mi")
                .workers(flags.workers())
                .priority(LOW)
                .request("cpu=2,memory=2048Mi")
                .elastic(1, Math.max(8, flags.workers() + 2));
        return job.build();
    }

    /** Returns the training of a replica that is a process; the submitter has prepared output folder and data. */
    private Training replica(Path data) {
        return training(new OutputFolder(flags.output()))
                .data(() -> {
                    RecordIoDataset train = DigitsData.open(data.resolve("train"));
                    String worker = System.getenv("WORKER_ID");
                    return worker == null ? train : WorkerPauseFile.held(train, data.resolve(PACE), worker);
                })
                .validation(() -> DigitsData.open(data.resolve("test")))
                .build();
    }

    private TrainingBuilder training(OutputFolder folder) {
        TrainingBuilder training = Training.builder()
                .model(Mlp.of(64, 128, 64, 10))
                .optimizer(Optimizer.parse(optimizer))
                .minibatchesPerTask(8)
                .epochs(epochs)
                .evaluationSteps(evaluationSteps)
                .logLossSteps(1000)
                .checkpointSteps(1000);
        if (chaos.seed().isPresent()) {
            // Servers that are killed restore a checkpoint of the same run.
            training.taskTimeout(FaultPlan.LEASE).checkpointSteps(50);
        }
        return flags.apply(training, folder);
    }

    /**
     * Makes the changes of the walk-through: deletes a worker, then scales the workers out and in.
     *
     * @return false when the job ended before all changes were made
     */
    private boolean shake(TrainingRunView run, RunReporter outcome, WalkThroughGate data) throws InterruptedException {
        try {
            return delete(run, outcome, data) && scaleOut(run, outcome, data) && scaleIn(run, outcome, data);
        } finally {
            data.goOn(1);
        }
    }

    private boolean delete(TrainingRunView run, RunReporter outcome, WalkThroughGate data) throws InterruptedException {
        int workers = flags.workers();
        if (!outcome.awaitProgress(DELETED / 2, () -> data.reached(DELETED)) || !outcome.awaitWorkers(workers)) {
            return false;
        }
        Optional<String> lost = lose(run, outcome);
        if (lost.isEmpty() || !outcome.awaitRunning(workers)) {
            return false;
        }
        if (!processes) {
            // A deleted worker leaves once its read has returned.
            data.goOn(DELETED);
        }
        if (!outcome.awaitWorkersWithout(lost.get(), workers) || !outcome.await(() -> data.joined(workers + 1))) {
            return false;
        }
        data.goOn(DELETED);
        List<String> now = outcome.runningWorkers();
        outcome.table("after: " + now.get(now.size() - 1) + " has taken over, nothing restarted");
        return true;
    }

    /** Ends worker-0, or the first worker that runs; returns empty when the job has ended before. */
    private Optional<String> lose(TrainingRunView run, RunReporter outcome) throws InterruptedException {
        String how = processes ? "killed" : "deleted";
        while (outcome.await(() -> !outcome.runningWorkers().isEmpty())) {
            String victim = outcome.runningWorkers().get(0);
            outcome.table("before " + victim + " is " + how);
            try {
                return outcome.change(victim + " " + how, () -> run.lose(victim))
                        ? Optional.of(victim)
                        : Optional.empty();
            } catch (IllegalArgumentException gone) {
                outcome.line(victim + " has ended already: " + gone.getMessage());
            }
        }
        return Optional.empty();
    }

    private boolean scaleOut(TrainingRunView run, RunReporter outcome, WalkThroughGate data)
            throws InterruptedException {
        int most = flags.workers() + 2;
        if (!outcome.awaitProgress((DELETED + SCALED_OUT) / 2, () -> data.reached(SCALED_OUT))
                || !outcome.change("scaled to " + most, () -> run.scale(most))
                || !outcome.awaitWorkers(most)
                || !outcome.await(() -> data.joined(most + 1))) {
            return false;
        }
        outcome.table("scaled to " + most + " workers");
        data.goOn(SCALED_OUT);
        return true;
    }

    private boolean scaleIn(TrainingRunView run, RunReporter outcome, WalkThroughGate data)
            throws InterruptedException {
        int least = Math.min(2, flags.workers());
        if (!outcome.awaitProgress((SCALED_OUT + SCALED_IN) / 2, () -> data.reached(SCALED_IN))
                || !outcome.change("scaled to " + least, () -> run.scale(least))
                || !outcome.awaitRunning(least)) {
            return false;
        }
        data.goOn(SCALED_IN);
        if (!outcome.awaitWorkers(least)) {
            return false;
        }
        outcome.table("scaled to " + least + (least == 1 ? " worker" : " workers"));
        return true;
    }
}
