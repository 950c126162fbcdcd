package dev.edl.examples;

import dev.edl.cli.CommandRunner;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.optimizers.Consistency;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Flags that all training examples share; each example sets some defaults. */
public final class TrainingFlags {
    private final int usualWorkers;
    private final int usualMinibatch;

    @Option(names = "--workers", paramLabel = "N", description = "Workers at the start. Default: ${DEFAULT-VALUE}")
    private int workers;

    @Option(names = "--minibatch", paramLabel = "N", description = "Records per gradient. Default: ${DEFAULT-VALUE}")
    private int minibatch;

    @Option(
            names = "--staleness",
            paramLabel = "N|unbounded",
            description = "Updates that may lie between pull and push: 0 is synchronous, unbounded asynchronous."
                    + " Default: ${DEFAULT-VALUE}")
    private String staleness = "unbounded";

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of initial values, shuffles and splits. Default: ${DEFAULT-VALUE}")
    private long seed = 42;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "Where checkpoint, model, events and picture go; those of an earlier run are replaced."
                    + " Default: ${DEFAULT-VALUE}")
    private Path output;

    @Option(
            names = "--resume",
            description = "Resumes from the newest checkpoint in the output folder, which Ctrl-C writes; requires"
                    + " the flags of the run that was interrupted.")
    private boolean resume;

    @SuppressWarnings("UnusedVariable")
    @Option(names = "--help", usageHelp = true, description = "Shows this text.")
    private boolean help;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /**
     * Creates the flags of an example.
     *
     * @param workers default number of workers
     * @param minibatch default size of a minibatch
     * @param name default name of the output folder within {@code edl-out}
     */
    public TrainingFlags(int workers, int minibatch, String name) {
        this.usualWorkers = workers;
        this.usualMinibatch = minibatch;
        this.workers = workers;
        this.minibatch = minibatch;
        this.output = Path.of("edl-out", name);
    }

    /** Checks the values of these flags and adds the mistakes found. */
    public FlagMistakes check(FlagMistakes mistakes) {
        return mistakes.atLeast(1, "--workers", workers, usualWorkers)
                .atLeast(1, "--minibatch", minibatch, usualMinibatch)
                .readable("--staleness", staleness, Consistency::parse);
    }

    /**
     * Creates the output folder and, unless the run is resumed, deletes the files of an earlier run in it.
     *
     * @param more names of files that the example writes in addition to the common ones
     */
    public OutputFolder folder(String... more) throws IOException {
        return OutputFolder.prepare(output, resume, List.of(more));
    }

    /** Applies these flags to a training, which writes its files to the output folder. */
    public TrainingBuilder apply(TrainingBuilder training, OutputFolder folder) {
        training.command(CommandRunner.command(spec))
                .consistency(Consistency.parse(staleness))
                .minibatch(minibatch)
                .seed(seed)
                .checkpointDirectory(folder.checkpoints())
                .export(folder.model())
                .tensorboard(folder.events());
        return resume ? training.resumeFrom(folder.checkpoints()) : training;
    }

    /** Returns the number of workers at the start. */
    public int workers() {
        return workers;
    }

    /** Returns the number of records per gradient. */
    public int minibatch() {
        return minibatch;
    }

    /**
     * Returns the staleness, the allowed updates between pull and push, in the syntax of {@link Consistency#parse}.
     */
    public String staleness() {
        return staleness;
    }

    /** Returns the seed of initial values, shuffles and splits. */
    public long seed() {
        return seed;
    }

    /** Returns the output folder. */
    public Path output() {
        return output;
    }

    /** Returns the arguments of the command line. */
    public String[] words() {
        return spec.commandLine().getParseResult().originalArgs().toArray(String[]::new);
    }

    /** Returns the command line that resumes this run. */
    public String resuming() {
        return CommandRunner.resuming(spec);
    }
}
