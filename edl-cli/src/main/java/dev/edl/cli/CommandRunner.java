package dev.edl.cli;

import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobLostException;
import dev.edl.internal.text.DurationText;
import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.k8s.render.RenderException;
import dev.edl.plan.PlanException;
import dev.edl.runtime.model.ModelException;
import dev.edl.runtime.zoo.MissingBackendException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Parses the arguments of a picocli command and runs it; for a user's mistake it prints a message and returns an exit
 * code, never a stack trace.
 */
public final class CommandRunner {
    /** Exit code of an example after a user's mistake. */
    private static final int MISTAKE = 2;

    private static final Pattern EXAMPLE = Pattern.compile("for example ([^ ]*[^ .,;])");

    private CommandRunner() {}

    /**
     * Runs a command.
     *
     * @param command a picocli command
     * @param err stream to which mistakes are printed
     * @param args flags of the command, with their values
     * @return the command's exit code, or 2 when a flag or its data is wrong
     */
    public static int run(Callable<Integer> command, PrintStream err, String... args) {
        PrintWriter mistakes = new PrintWriter(err, true, Charset.defaultCharset());
        return configured(new CommandLine(command), mistakes, MISTAKE, failure -> false)
                .execute(args);
    }

    /**
     * Sets how a command line reports mistakes.
     *
     * @param err writer to which mistakes are printed
     * @param code exit code after a mistake
     * @param others further exceptions; only their message is printed
     */
    static CommandLine configured(CommandLine line, PrintWriter err, int code, Predicate<Exception> others) {
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                // A command of a job may have a word such as @config.
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(true)
                .setErr(err)
                .setExecutionStrategy(parsed -> {
                    checkNames(parsed);
                    return new RunLast().execute(parsed);
                })
                .setParameterExceptionHandler((mistake, given) -> {
                    err.println(message(mistake));
                    CommandLine command = mistake.getCommandLine();
                    err.println(command.getCommandSpec().qualifiedName() + " --help lists the "
                            + (command.getSubcommands().isEmpty() ? "flags." : "commands."));
                    return code;
                })
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (expected(failure) || others.test(failure)) {
                        err.println(JavaCallReplacer.translated(
                                String.valueOf(failure.getMessage()), command.getCommandSpec()));
                        return code;
                    }
                    throw failure;
                });
    }

    /** Refuses a name that a flag such as {@code --env NAME=VALUE} has twice; picocli takes the last value. */
    private static void checkNames(ParseResult parsed) {
        for (ArgSpec arg : parsed.matchedArgs()) {
            Map<String, String> words = new HashMap<>();
            for (String word : arg.typeInfo().isMap() ? arg.originalStringValues() : List.<String>of()) {
                String twice = words.put(word.split("=", 2)[0], word);
                if (twice != null) {
                    throw new ParameterException(
                            arg.command().commandLine(),
                            (arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel())
                                    + " must have each name once, was \"" + twice + "\" and \"" + word + "\"");
                }
            }
        }
        if (parsed.hasSubcommand()) {
            checkNames(parsed.subcommand());
        }
    }

    private static boolean expected(Exception failure) {
        return failure instanceof IllegalArgumentException
                || failure instanceof PlanException
                || failure instanceof RenderException
                || failure instanceof KubernetesClientException
                || failure instanceof AwaitTimeoutException
                || failure instanceof JobLostException
                || failure instanceof ModelException
                || failure instanceof MissingBackendException
                || failure instanceof IOException
                || failure instanceof UncheckedIOException;
    }

    private static String message(ParameterException mistake) {
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            return unknown(unmatched.getUnmatched().get(0), mistake.getCommandLine());
        }
        String message = withWords(mistake)
                .replace("for option option ", "for option ")
                .replaceAll("(?:option )?positional parameter at index \\S+ \\((.*?)\\)", "$1")
                .replaceAll("('\\d+') is not an? (?:int|long)\\b", "$1 is too large")
                .replaceAll("is not an? (?:int|long)\\b", "is not a whole number");
        if (message.contains("for example")) {
            return message;
        }
        return argument(mistake)
                .flatMap(arg -> valid(arg)
                        .map(value -> arg instanceof OptionSpec option ? option.longestName() + " " + value : value))
                .map(example -> message + "; for example " + example)
                .orElse(message);
    }

    /** Returns a message with the words of an enum's constants, as the help has them; picocli lists Java's names. */
    private static String withWords(ParameterException mistake) {
        String message = String.valueOf(mistake.getMessage());
        ArgSpec wrong = mistake.getArgSpec();
        if (wrong == null || wrong.completionCandidates() == null) {
            return message;
        }
        String words = String.join(", ", wrong.completionCandidates());
        return message.replaceFirst("(?<=expected one of \\[).*?(?=])", Matcher.quoteReplacement(words));
    }

    private static String unknown(String word, CommandLine line) {
        boolean flag = word.startsWith("-");
        boolean command = !flag && !line.getSubcommands().isEmpty();
        List<String> known = command ? List.copyOf(line.getSubcommands().keySet()) : names(line.getCommandSpec());
        return "unknown " + (flag ? "flag" : command ? "command" : "argument") + " \"" + word + "\"; "
                + SpellingSuggestion.to(word, known)
                        .map(near -> "did you mean " + near + "?")
                        .orElseGet(() -> "known are " + String.join(", ", known));
    }

    private static Optional<ArgSpec> argument(ParameterException mistake) {
        return Optional.ofNullable(
                mistake instanceof MissingParameterException missing
                                && !missing.getMissing().isEmpty()
                        ? missing.getMissing().get(0)
                        : mistake instanceof OverwrittenOptionException twice
                                ? twice.getOverwritten()
                                : mistake.getArgSpec());
    }

    /** Returns a valid value of an argument: the example in its description, or its default. */
    private static Optional<String> valid(ArgSpec argument) {
        Matcher example = EXAMPLE.matcher(String.join(" ", argument.description()));
        if (example.find()) {
            return Optional.of(example.group(1));
        }
        return Optional.ofNullable(argument.defaultValueString())
                .filter(value -> !Set.of("", "null", "[]", "{}").contains(value)
                        && argument.arity().max() > 0)
                .map(value -> argument.type() == Duration.class ? DurationText.of(Duration.parse(value)) : value);
    }

    private static List<String> names(CommandSpec command) {
        return command.options().stream().map(OptionSpec::longestName).toList();
    }

    /**
     * Returns the command line that resumes an interrupted run.
     *
     * @param command picocli's model of the command that is running
     */
    public static String resuming(CommandSpec command) {
        List<String> words =
                new ArrayList<>(command.commandLine().getParseResult().originalArgs());
        if (!words.contains("--resume")) {
            words.add("--resume");
        }
        return line(command, words);
    }

    /** Returns the command line of a run. */
    public static String command(CommandSpec command) {
        return line(command, command.commandLine().getParseResult().originalArgs());
    }

    private static String line(CommandSpec command, List<String> words) {
        return Stream.concat(Stream.of(command.name()), words.stream().map(CommandRunner::quoted))
                .collect(Collectors.joining(" "));
    }

    /** Returns a word quoted for a POSIX shell. */
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
