package dev.edl.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * What an example printed, run in this JVM as its main method runs it.
 *
 * @param code the exit code
 * @param out lines to the standard output
 * @param err lines to the standard error
 */
public record Printed(int code, List<String> out, List<String> err) {
    /** Runs an example that is made for a stream. */
    public static Printed by(Function<PrintStream, Callable<Integer>> example, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Flags.run(
                example.apply(new PrintStream(out, true, StandardCharsets.UTF_8)),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
        return new Printed(
                code,
                out.toString(StandardCharsets.UTF_8).lines().toList(),
                err.toString(StandardCharsets.UTF_8).lines().toList());
    }
}
