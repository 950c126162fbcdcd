package dev.edl.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads the classes that commands without a cluster use, so that the JVM can save them: script {@code edl} runs this
 * class with {@code -XX:ArchiveClassesAtExit} before its first command.
 */
final class StartupClassPreloader {
    private static final List<String> JOB = List.of("--name", "a", "--ps", "1", "--workers", "2", "--image", "a");

    private StartupClassPreloader() {}

    public static void main(String[] args) {
        run("plan");
        run("plan", "-o", "yaml");
        run("explain");
        run("convert", "--framework", "tensorflow", "--to", "tfjob.v1.kubeflow.org");
    }

    private static void run(String command, String... flags) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(JOB);
        words.addAll(List.of(flags));
        int code = EdlCommand.run(nowhere, nowhere, words.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException(String.join(" ", words) + " ended with " + code);
        }
    }
}
