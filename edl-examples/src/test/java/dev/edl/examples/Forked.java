package dev.edl.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Example in a JVM of its own, with this JVM's class path and the flags of the script {@code run}. */
public final class Forked implements AutoCloseable {
    private static final int SECONDS = 120;

    private final Process process;
    private final BufferedReader out;
    private final Path err;
    private final List<String> lines = new ArrayList<>();

    private Forked(Process process, Path err) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.err = err;
    }

    /** Starts a main class; {@code err} receives the standard error. */
    public static Forked start(Class<?> main, Path err, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24) {
            command.add("--enable-native-access=ALL-UNNAMED");
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        String surefire = System.getProperty("surefire.test.class.path");
        command.add("-cp");
        command.add(surefire != null ? surefire : System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("OMP_NUM_THREADS", "1");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return new Forked(builder.redirectError(err.toFile()).start(), err);
    }

    /** Reads until an awaited line; the output ends at the latest with the process. */
    public void awaitLine(Predicate<String> wanted) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            if (wanted.test(line)) {
                return;
            }
        }
        throw new AssertionError("the line that is waited for was not printed, but:\n" + String.join("\n", lines));
    }

    /** Ends the process as Ctrl-C does, but by SIGTERM, since a shell may make its children ignore SIGINT. */
    public void interrupt() {
        // Process.destroy() would close the output as well, and the last lines of the process would be lost.
        process.toHandle().destroy();
    }

    /** Waits for the end, at most two minutes. */
    public Printed end() throws IOException, InterruptedException {
        out.lines().forEach(lines::add);
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process has not ended within " + SECONDS + " s after its last output");
        }
        return new Printed(process.exitValue(), List.copyOf(lines), Files.readAllLines(err));
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        out.close();
    }
}
