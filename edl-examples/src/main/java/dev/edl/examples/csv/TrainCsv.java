package dev.edl.examples.csv;

import dev.edl.Job;
import dev.edl.cli.CommandRunner;
import dev.edl.examples.FlagMistakes;
import dev.edl.examples.OutputFolder;
import dev.edl.examples.RunReporter;
import dev.edl.examples.TrainingFlags;
import dev.edl.examples.TrainingRunView;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.data.ArraySplit;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.data.csv.CsvTableReader;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Trains a classifier on a user's table: numeric columns, and a column of integers or texts with the class. The rows
 * are split into training and test rows; the mean and deviation of the training rows standardise both.
 */
@Command(
        name = "edl-examples/run csv",
        description = "Trains a classifier on a table of numbers and measures it on rows that it has not seen. Without"
                + " hidden layers it is a logistic regression.",
        sortOptions = false)
public final class TrainCsv implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofHours(2);
    private static final Pattern WITHOUT = Pattern.compile("without\\((\".*\")\\)(?= leaves)");

    @Option(names = "--csv", required = true, paramLabel = "FILE", description = "The table. Required.")
    private Path csv = Path.of("data.csv");

    @Option(
            names = "--label",
            paramLabel = "COLUMN",
            description = "The column of the class: last, a number counted from 1, or a name of the header line."
                    + " Default: ${DEFAULT-VALUE}")
    private String label = "last";

    @Option(
            names = "--without",
            paramLabel = "COLUMNS",
            split = ",",
            description = "Columns that are left out, such as row numbers: names of the header line, or numbers counted"
                    + " from 1. Default: none")
    private List<String> without = List.of();

    @Option(
            names = "--header",
            paramLabel = "yes|no",
            description = "Whether the first line is a header. Default: yes when it is not numeric")
    private @Nullable YesNo header;

    @Option(
            names = "--text-labels",
            description = "Takes each label for the name of its class, also where it is a number. Default: when no"
                    + " label is a number")
    private boolean textLabels;

    @Option(
            names = "--not-missing",
            paramLabel = "WORDS",
            split = ",",
            description = "Words that are classes although they usually stand for a missing value, for example None."
                    + " Default: none")
    private List<String> notMissing = List.of();

    @Option(
            names = "--skip-bad-rows",
            description = "Trains on the good rows and lists the bad ones, instead of stopping.")
    private boolean skipBadRows;

    @Option(
            names = "--hidden",
            paramLabel = "SIZES",
            split = ",",
            description = "Sizes of hidden layers, for example 32,16. Default: none")
    private List<Integer> hidden = List.of();

    @Option(
            names = "--test",
            paramLabel = "FRACTION",
            description = "The share of rows to measure on, between 0 and 1. Default: ${DEFAULT-VALUE}")
    private double test = 0.25;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            description = "Passes over the data. Default: 40, for few rows up to 400, for very many down to 10")
    private @Nullable Integer epochs;

    @Option(
            names = "--optimizer",
            paramLabel = "RULE",
            description = "sgd, adam or adagrad, for example sgd:learning_rate=0.1,momentum=0.9. Default: sgd with"
                    + " a learning rate of 0.05, or 25 / features where that is less")
    private @Nullable String optimizer;

    @Mixin
    private TrainingFlags flags = new TrainingFlags(2, 16, "csv");

    private final PrintStream out;

    /** Creates an example that prints to a stream. */
    TrainCsv(PrintStream out) {
        this.out = out;
    }

    /** Values of {@code --header}. */
    enum YesNo {
        yes,
        no
    }

    /**
     * Runs the example. Exits with 0 when the job succeeded and applied each record exactly once, 1 when not, 2 when a
     * flag or the table is wrong, and 130 on Ctrl-C.
     */
    public static void main(String[] args) {
        System.exit(CommandRunner.run(new TrainCsv(System.out), System.err, args));
    }

    @Override
    public Integer call() throws Exception {
        checkFlags();
        CsvTable table = read();
        out.println(table);
        table.problems()
                .forEach(problem -> out.println(
                        (table.skipped().contains(problem) ? "skipped " : "doubtful: ") + inFlags(problem.toString())));
        out.println(ClassCounts.of(table.dataset(), table.classNames()));
        ArraySplit split = table.dataset().split(test, flags.seed());
        out.println(split.train().rows() + " rows to train on, " + split.test().rows() + " rows held out");
        OutputFolder folder = flags.folder();
        Training training = training(table, split, folder);
        Job job = Job.builder()
                .name("csv")
                .elasticdl()
                .master()
                .ps(1)
                .workers(flags.workers())
                .build();
        out.println("Training: " + training);
        out.println();
        return run(job, training, table, split, folder);
    }

    private int run(Job job, Training training, CsvTable table, ArraySplit split, OutputFolder folder)
            throws InterruptedException, IOException {
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job);
                RunReporter outcome = RunReporter.follow(TrainingRunView.of(run), out, flags.resuming(), "accuracy")) {
            JobStatus end = run.await(LIMIT);
            String title = String.format(
                    Locale.ROOT,
                    "%s: %,d rows x %d epochs, minibatch %d",
                    csv.getFileName(),
                    split.train().rows(),
                    training.epochs(),
                    flags.minibatch());
            int code = outcome.print(end, folder, title);
            if (end.phase() == JobPhase.SUCCEEDED) {
                ModelCompanionFiles.write(folder, split.standardization(), table);
                out.println("  scaling      " + ModelCompanionFiles.standardization(folder));
                out.println("  labels       " + ModelCompanionFiles.classes(folder));
                out.println(ModelCompanionFiles.usage(folder, hidden.size()));
                out.println();
                out.printf(
                        Locale.ROOT,
                        "Held-out accuracy: %.4f (%s)%n",
                        run.result().orElseThrow().metrics().get("accuracy"),
                        ClassCounts.of(split.train(), table.classNames()).baseline(split.test()));
            }
            return code;
        }
    }

    private void checkFlags() {
        FlagMistakes mistakes = flags.check(new FlagMistakes())
                .unless(!label.isBlank(), "--label must name a column, for example --label last, was \"" + label + "\"")
                .unless(
                        test > 0 && test < 1,
                        "--test must be between 0 and 1, both exclusive, was " + test + "; for example --test 0.25");
        if (optimizer != null) {
            mistakes.readable("--optimizer", optimizer, Optimizer::parse);
        }
        if (epochs != null) {
            mistakes.atLeast(1, "--epochs", epochs, 100);
        }
        for (int size : hidden) {
            mistakes.unless(
                    size >= 1, "--hidden must be sizes of at least 1, was " + size + "; for example --hidden 32,16");
        }
        mistakes.end();
    }

    private CsvTable read() throws IOException {
        try {
            return reader().read(csv);
        } catch (IOException e) {
            throw new IOException(inFlags(String.valueOf(e.getMessage())), e);
        }
    }

    /** Replaces the method names in the library's messages by flags. */
    private static String inFlags(String text) {
        Matcher without = WITHOUT.matcher(text);
        String flags = without.replaceAll(found -> Matcher.quoteReplacement(
                "--without " + found.group(1).replace("\", \"", ",").replace("\"", "")));
        return flags.replace("skipBadRows()", "--skip-bad-rows")
                .replace("header(true)", "--header yes")
                .replace("header(false)", "--header no")
                .replace("label(...)", "--label")
                .replace("textLabels()", "--text-labels")
                .replaceAll("notMissing\\(\"([^\"]*)\"\\)", "--not-missing $1");
    }

    private CsvTableReader reader() {
        CsvTableReader reader = CsvTable.reader().label(label);
        if (header != null) {
            reader = reader.header(header == YesNo.yes);
        }
        if (textLabels) {
            reader = reader.textLabels();
        }
        reader = reader.notMissing(notMissing.toArray(String[]::new)).without(without.toArray(String[]::new));
        return skipBadRows ? reader.skipBadRows() : reader;
    }

    private Training training(CsvTable table, ArraySplit split, OutputFolder folder) {
        int[] layers = IntStream.concat(
                        hidden.stream().mapToInt(Integer::intValue),
                        IntStream.of(table.classes().size()))
                .toArray();
        ArraySplit standardized = split.standardized();
        int rows = split.train().rows();
        int passes = epochs != null ? epochs : DefaultHyperparameters.epochs(rows);
        TrainingBuilder training = Training.builder()
                .model(Mlp.of(table.features().size(), layers))
                .data(standardized.train())
                .validation(standardized.test())
                .optimizer(
                        optimizer != null
                                ? Optimizer.parse(optimizer)
                                : DefaultHyperparameters.optimizer(
                                        table.features().size()))
                .minibatchesPerTask(8)
                .epochs(passes)
                .evaluationSteps(200)
                .logLossSteps(500);
        return flags.apply(training, folder).build();
    }
}
