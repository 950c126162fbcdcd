package dev.edl.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Runs kubectl on the running cluster. */
public final class Kubectl {
    private Kubectl() {}

    /** Returns its output; ends the check when it fails. */
    public static String run(String... args) {
        try {
            List<String> command = new ArrayList<>(List.of("kubectl"));
            command.addAll(List.of(args));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Checks.check(process.waitFor() == 0, command + " said " + out);
            return out;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("kubectl cannot be run", e);
        }
    }

    /**
     * Checks the table of {@code kubectl get}: its columns, and a row with these cells. Both are given without the age,
     * which is the last column. Returns the table on one line.
     */
    public static String table(String namespace, String kind, String columns, String row) {
        List<String> lines = run("get", "-n", namespace, kind)
                .lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .toList();
        Checks.check(
                lines.get(0).equals(columns + " AGE")
                        && lines.stream().anyMatch(line -> line.matches(Pattern.quote(row) + " [0-9][0-9dhms]*")),
                "kubectl get " + kind + " was to have columns " + columns + " AGE and a row " + row + ", printed "
                        + lines);
        return String.join(" / ", lines);
    }
}
