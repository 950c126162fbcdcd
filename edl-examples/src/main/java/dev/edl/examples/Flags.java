package dev.edl.examples;

import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.plan.PlanException;
import dev.edl.runtime.ModelException;
import dev.edl.runtime.model.MissingBackendException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Parses the flags of an example and runs the example; for a user's mistake it prints a message and returns an exit
 * code, never a stack trace.
 */
public final class Flags {
    private static final int MISTAKE = 2;
    private static final Pattern EXAMPLE = Pattern.compile("for example ([^ ]+[^ .])");

    private Flags() {}

    /**
     * Runs an example.
     *
     * @param example a picocli command
     * @param err stream to which mistakes are printed
     * @param args flags of the example, with their values
     * @return the example's exit code, or 2 when a flag or its data is wrong
     */
    public static int run(Callable<Integer> example, PrintStream err, String... args) {
        CommandLine line = new CommandLine(example);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        line.setParameterExceptionHandler((mistake, given) -> {
            err.println(Flags.message(mistake));
            err.println(mistake.getCommandLine().getCommandName() + " --help lists the flags.");
            return MISTAKE;
        });
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (Flags.expected(failure)) {
                err.println(failure.getMessage());
                return MISTAKE;
            }
            throw failure;
        });
        return line.execute(args);
    }

    private static boolean expected(Exception failure) {
        return failure instanceof IllegalArgumentException
                || failure instanceof PlanException
                || failure instanceof ModelException
                || failure instanceof MissingBackendException
                || failure instanceof IOException
                || failure instanceof UncheckedIOException;
    }

    private static String message(ParameterException mistake) {
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            String first = unmatched.getUnmatched().get(0);
            List<String> known = Flags.names(mistake.getCommandLine().getCommandSpec());
            return (first.startsWith("-") ? "unknown flag \"" : "unknown argument \"") + first + "\"; "
                    + SpellingSuggestion.to(first, known)
                            .map(near -> "did you mean " + near + "?")
                            .orElseGet(() -> "known are " + String.join(", ", known));
        }
        String message = String.valueOf(mistake.getMessage());
        return Flags.option(mistake)
                .flatMap(option -> Flags.valid(option).map(value -> option.longestName() + " " + value))
                .map(example -> message + "; for example " + example)
                .orElse(message);
    }

    private static Optional<OptionSpec> option(ParameterException mistake) {
        ArgSpec spec = mistake instanceof MissingParameterException missing
                        && !missing.getMissing().isEmpty()
                ? missing.getMissing().get(0)
                : mistake instanceof OverwrittenOptionException twice ? twice.getOverwritten() : mistake.getArgSpec();
        return spec instanceof OptionSpec option ? Optional.of(option) : Optional.empty();
    }

    /** Returns a valid value of a flag: its default, or the example in its description. */
    private static Optional<String> valid(OptionSpec option) {
        String value = option.defaultValueString();
        if (value != null
                && !value.equals("null")
                && !value.equals("[]")
                && option.arity().max() > 0) {
            return Optional.of(value);
        }
        Matcher example = EXAMPLE.matcher(String.join(" ", option.description()));
        return example.find() ? Optional.of(example.group(1)) : Optional.empty();
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
    static String command(CommandSpec command) {
        return line(command, command.commandLine().getParseResult().originalArgs());
    }

    private static String line(CommandSpec command, List<String> words) {
        return Stream.concat(Stream.of(command.name()), words.stream().map(Flags::quoted))
                .collect(Collectors.joining(" "));
    }

    /** Returns a word quoted for a POSIX shell. */
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
