package dev.edl.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Program {@code edl}.
 *
 * <p>Exit codes are kubectl's: 0 after success, 1 after any failure.
 */
@Command(
        name = "edl",
        description = "Plans, trains, submits and follows distributed training jobs.",
        mixinStandardHelpOptions = true,
        versionProvider = EdlVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PlanCommand.class,
            ExplainCommand.class,
            SimulateCommand.class,
            ConvertCommand.class,
            PreflightCommand.class,
            SubmitCommand.class,
            StatusCommand.class,
            LogsCommand.class,
            ScaleCommand.class,
            DeleteCommand.class,
            GenerateCompletion.class,
        })
public final class EdlCommand implements Runnable {
    private static final int FAILURE = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the program, and exits with its code. */
    public static void main(String[] args) {
        System.exit(run(
                new PrintWriter(System.out, true, Charset.defaultCharset()),
                new PrintWriter(System.err, true, Charset.defaultCharset()),
                args));
    }

    /**
     * Runs the program.
     *
     * @param out writer of the result
     * @param err writer of mistakes and warnings
     * @param args the command and its flags
     * @return the exit code
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = CommandRunner.configured(new CommandLine(new EdlCommand()), err, FAILURE);
        int code = line.setOut(out).execute(args);
        out.flush();
        return code;
    }

    /** Reports that no command was given. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing; for example edl plan -f job.yaml");
    }
}
