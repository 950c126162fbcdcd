package dev.edl.examples;

import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.optimizers.Consistency;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The flags that every example has, with defaults of its own. */
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
     * The flags of an example.
     *
     * @param workers unless given
     * @param minibatch unless given
     * @param name of the folder within {@code edl-out} that the files go to unless another is given
     */
    public TrainingFlags(int workers, int minibatch, String name) {
        this.usualWorkers = workers;
        this.usualMinibatch = minibatch;
        this.workers = workers;
        this.minibatch = minibatch;
        this.output = Path.of("edl-out", name);
    }

    /** Adds what is wrong with these flags. */
    public Mistakes check(Mistakes mistakes) {
        return mistakes.atLeast(1, "--workers", workers, usualWorkers)
                .atLeast(1, "--minibatch", minibatch, usualMinibatch)
                .readable("--staleness", staleness, Consistency::parse);
    }

    /**
     * Makes the output folder ready.
     *
     * @param more names of files that the example writes beside those that every example does
     */
    public OutputFolder folder(String... more) throws IOException {
        return OutputFolder.prepare(output, resume, List.of(more));
    }

    /** Gives a training what these flags say, and the files of the output folder. */
    public TrainingBuilder apply(TrainingBuilder training, OutputFolder folder) {
        training.command(Flags.command(spec))
                .consistency(Consistency.parse(staleness))
                .minibatch(minibatch)
                .seed(seed)
                .checkpointDirectory(folder.checkpoints())
                .export(folder.model())
                .tensorboard(folder.events());
        return resume ? training.resumeFrom(folder.checkpoints()) : training;
    }

    /** Workers at the start. */
    public int workers() {
        return workers;
    }

    /** Records of one gradient. */
    public int minibatch() {
        return minibatch;
    }

    /** Updates that may lie between pull and push, as {@link Consistency#parse} reads it. */
    public String staleness() {
        return staleness;
    }

    /** Of initial values, shuffles and splits. */
    public long seed() {
        return seed;
    }

    /** Where files go. */
    public Path output() {
        return output;
    }

    /** The words that the run was started with. */
    public String[] words() {
        return spec.commandLine().getParseResult().originalArgs().toArray(String[]::new);
    }

    /** The command line that goes on where this one was interrupted. */
    public String resuming() {
        return Flags.resuming(spec);
    }
}
