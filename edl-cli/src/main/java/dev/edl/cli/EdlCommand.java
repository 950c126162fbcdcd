package dev.edl.cli;

import dev.edl.cli.data.DataCommand;
import dev.edl.cli.elasticdl.EvaluateCommand;
import dev.edl.cli.elasticdl.ModelExportCommand;
import dev.edl.cli.elasticdl.PredictCommand;
import dev.edl.cli.elasticdl.TrainCommand;
import dev.edl.cli.zoo.ZooCommand;
import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.internal.text.DurationText;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * Program {@code edl}.
 *
 * <p>Exit codes are kubectl's: 0 after success, 1 after any failure.
 */
@Command(
        name = "edl",
        description = "Plans, trains, submits and follows distributed training jobs.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class EdlCommand implements Runnable {
    private static final int FAILURE = 1;

    /** Names of the commands, in the order of the help. */
    private static final List<String> COMMANDS = List.of(
            "plan",
            "explain",
            "simulate",
            "convert",
            "train",
            "evaluate",
            "predict",
            "export",
            "data",
            "preflight",
            "submit",
            "attach",
            "status",
            "logs",
            "scale",
            "cancel",
            "delete",
            "zoo",
            "generate-completion");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the program, and exits with its code. The output is UTF-8, as YAML must be. */
    public static void main(String[] args) {
        System.exit(run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
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
        // Each command's model takes time to build. Only completion, help and error messages need all commands.
        boolean one = args.length > 0 && COMMANDS.contains(args[0]) && !args[0].equals("generate-completion");
        CommandLine line = one ? line(List.of(args[0])) : line();
        // A job whose state or operator does not allow a request is not a defect of the program.
        int code = CommandRunner.configured(
                        line,
                        err,
                        FAILURE,
                        failure -> failure instanceof IllegalStateException
                                || failure instanceof UnsupportedOperationException)
                .setOut(out)
                .execute(args);
        out.flush();
        return code;
    }

    /** Returns picocli's model of the program. */
    static CommandLine line() {
        return line(COMMANDS);
    }

    private static CommandLine line(List<String> commands) {
        CommandLine line = new CommandLine(new EdlCommand());
        commands.forEach(name -> line.addSubcommand(name, command(name)));
        for (ElasticDlVerb verb : ElasticDlVerb.values()) {
            CommandLine command = line.getSubcommands().get(verb.toString());
            if (command != null) {
                command.getCommandSpec()
                        .usageMessage()
                        .footer(
                                "%nFlags of " + ElasticDlVersion.RELEASE_1_0 + ", each as --name=value:",
                                String.join(", ", ElasticDlCommand.known(ElasticDlVersion.RELEASE_1_0, verb)));
            }
        }
        showVersion(line);
        return line.registerConverter(Duration.class, EdlCommand::duration);
    }

    /** Sets each command's -V to print the version of the program. */
    private static void showVersion(CommandLine line) {
        line.getCommandSpec().versionProvider(new EdlVersion());
        line.getSubcommands().values().forEach(EdlCommand::showVersion);
    }

    private static Object command(String name) {
        return switch (name) {
            case "plan" -> new PlanCommand();
            case "explain" -> new ExplainCommand();
            case "simulate" -> new SimulateCommand();
            case "convert" -> new ConvertCommand();
            case "train" -> new TrainCommand();
            case "evaluate" -> new EvaluateCommand();
            case "predict" -> new PredictCommand();
            case "export" -> new ModelExportCommand();
            case "data" -> new DataCommand();
            case "preflight" -> new PreflightCommand();
            case "submit" -> new SubmitCommand();
            case "attach" -> new AttachCommand();
            case "status" -> new StatusCommand();
            case "logs" -> new LogsCommand();
            case "scale" -> new ScaleCommand();
            case "cancel" -> new CancelCommand();
            case "delete" -> new DeleteCommand();
            case "zoo" -> new ZooCommand();
            case "generate-completion" -> new GenerateCompletion();
            default ->
                throw new IllegalArgumentException("command must be one of " + COMMANDS + ", was \"" + name + "\"");
        };
    }

    private static Duration duration(String text) {
        return DurationText.parse(text)
                .filter(time -> !time.isNegative() && !time.isZero() && time.compareTo(DurationText.LONGEST) <= 0)
                .orElseThrow(
                        () -> new TypeConversionException("duration must be a positive number with its unit, was \""
                                + text + "\"; for example 30s or 2h"));
    }

    /** Reports that no command was given. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing; for example edl plan -f job.yaml");
    }
}
