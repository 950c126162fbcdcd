package dev.edl.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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
}
