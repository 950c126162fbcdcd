package dev.edl.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The other end of a {@link ChildJvm}: answers each line of standard input until it ends. The answer is {@code ok} and
 * what the handler returned, or {@code failed} and what it threw, whose stack trace goes to standard error.
 */
public final class Commands {
    private Commands() {}

    /** What is done for a command. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Returns the answer, one line.
         *
         * @throws Exception when it cannot be done
         */
        String handle(String command) throws Exception;
    }

    /** Serves until the input ends and then exits, since a native backend leaves threads behind. */
    public static void serve(Handler handler) throws IOException {
        PrintStream answers = System.out;
        // What libraries print must not stand between the answers.
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
