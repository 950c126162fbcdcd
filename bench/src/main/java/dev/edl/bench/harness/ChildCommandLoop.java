package dev.edl.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Server side of a {@link ChildJvm}: answers each line of standard input until the input ends. The answer is {@code ok}
 * and the handler's result, or {@code failed:} and the exception, whose stack trace goes to standard error.
 */
public final class ChildCommandLoop {
    private ChildCommandLoop() {}

    /** Handler of a command. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Runs a command and returns its answer, one line.
         *
         * @throws Exception when the command fails
         */
        String handle(String command) throws Exception;
    }

    /**
     * Answers commands until the input ends, and then exits the JVM, because a native backend leaves threads running.
     */
    public static void serve(Handler handler) throws IOException {
        PrintStream answers = System.out;
        // Output of libraries must not mix with the answers.
        System.setOut(System.err);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = lines.readLine(); command != null; command = lines.readLine()) {
            answers.println(answer(handler, command));
            answers.flush();
        }
        System.exit(0);
    }

    static String answer(Handler handler, String command) {
        try {
            return "ok " + handler.handle(command);
        } catch (Throwable failure) {
            failure.printStackTrace();
            return "failed: " + failure.toString().lines().findFirst().orElse("");
        }
    }
}
