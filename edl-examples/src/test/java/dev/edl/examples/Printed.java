package dev.edl.examples;

import dev.edl.cli.CommandRunner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Output of an example that ran in this JVM as by its main method.
 *
 * @param code the exit code
 * @param out lines on the standard output
 * @param err lines on the standard error
 */
public record Printed(int code, List<String> out, List<String> err) {
    /** Runs an example that prints to a stream. */
    public static Printed by(Function<PrintStream, Callable<Integer>> example, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = CommandRunner.run(
                example.apply(new PrintStream(out, true, StandardCharsets.UTF_8)),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
        return new Printed(
                code,
                out.toString(StandardCharsets.UTF_8).lines().toList(),
                err.toString(StandardCharsets.UTF_8).lines().toList());
    }
}
