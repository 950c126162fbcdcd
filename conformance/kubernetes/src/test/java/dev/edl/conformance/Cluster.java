package dev.edl.conformance;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Cluster started by the scripts of {@code conformance/cluster}, for one check after another. Not thread-safe. */
public final class Cluster implements AutoCloseable {
    private static final String INSIDE = "edl.conformance.inside";
    private static final long START_SECONDS = 300;
    private static final long STOP_SECONDS = 60;

    private static final long GRACE_SECONDS = 10;

    /** Time limit of a check. */
    private static final long CHECK_SECONDS = Long.parseLong(System.getProperty("edl.conformance.seconds", "600"));

    private final Path state;
    private String flags = "";

    Cluster() throws IOException {
        state = Files.createTempDirectory("edl-cluster-").resolve("cluster");
    }

    /** Returns the folder {@code conformance/cluster}. */
    public static String scripts() {
        Path at = Path.of("").toAbsolutePath();
        while (at != null && !Files.isExecutable(at.resolve("conformance/cluster/up"))) {
            at = at.getParent();
        }
        if (at == null) {
            throw new IllegalStateException(
                    "there is no conformance/cluster above " + Path.of("").toAbsolutePath());
        }
        return at.resolve("conformance/cluster").toString();
    }

    /** Whether this is the JVM in which a check runs. */
    static boolean isInside() {
        return Boolean.getBoolean(INSIDE);
    }

    /** Starts the cluster that a check needs, unless the running one fits. */
    void up(OnCluster need) throws IOException, InterruptedException {
        if (flags.equals(need.value()) && !need.alone()) {
            return;
        }
        down();
        List<String> command = new ArrayList<>(List.of(scripts() + "/up"));
        command.addAll(Arrays.asList(need.value().split(" ")));
        command.addAll(List.of("--while", Long.toString(ProcessHandle.current().pid())));
        run("a cluster of " + need.value(), command, START_SECONDS);
        flags = need.alone() ? "" : need.value();
    }

    /** Runs a check in a JVM that reaches the cluster; if it fails, throws with its output. */
    void check(Class<?> check, String method) throws IOException, InterruptedException {
        run(
                check.getSimpleName(),
                List.of(
                        scripts() + "/in",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-D" + INSIDE + "=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        InsideCluster.class.getName(),
                        check.getName(),
                        method),
                CHECK_SECONDS);
    }

    private void down() throws IOException, InterruptedException {
        run("the end of a cluster", List.of(scripts() + "/down"), STOP_SECONDS);
        flags = "";
    }

    private void run(String what, List<String> command, long seconds) throws IOException, InterruptedException {
        File log = File.createTempFile("edl-check-", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
        builder.environment().put("EDL_CLUSTER", state.toString());
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
            String output = Files.readString(log.toPath(), StandardCharsets.UTF_8);
            output.lines().filter(line -> line.startsWith("kubernetes: ")).forEach(System.out::println);
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(what
                        + (ended
                                ? " failed with exit code " + process.exitValue()
                                : " did not end within " + seconds + " s")
                        + ":\n" + output);
            }
        } finally {
            // On SIGTERM it ends the processes that it started.
            process.destroy();
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            Files.delete(log.toPath());
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        down();
        Files.delete(state.getParent());
    }
}
