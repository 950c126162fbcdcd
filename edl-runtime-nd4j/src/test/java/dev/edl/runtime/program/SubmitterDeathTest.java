package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The program that submitted a training is killed by signal 9. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "processes are looked for in /proc")
class SubmitterDeathTest {
    /** The grace period of ten seconds, plus the delay of a busy machine. */
    private static final int BOUND_OF_THE_END_SECONDS = 30;

    @TempDir
    Path folder;

    @TempDir
    Path temporary;

    @Test
    void a_killed_submitter_leaves_no_process_and_its_token_is_deleted_later() throws Exception {
        Files.createFile(folder.resolve(Doom.GO));
        Process submitter = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeldSubmitter.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        try {
            awaitLine(submitter, "computes ");
            List<ProcessHandle> processes = MarkedProcesses.of(folder);
            // Each of the four replicas has a shell.
            assertThat(processes).hasSizeGreaterThanOrEqualTo(8);
            TokenDirectory.create(temporary).close();
            assertThat(tokens()).as("of a submitter that lives").hasSize(1);

            submitter.destroyForcibly();

            assertThat(submitter.waitFor(BOUND_OF_THE_END_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            for (ProcessHandle process : processes) {
                process.onExit().get(BOUND_OF_THE_END_SECONDS, TimeUnit.SECONDS);
            }
            for (ProcessHandle late : MarkedProcesses.of(folder)) {
                late.onExit().get(BOUND_OF_THE_END_SECONDS, TimeUnit.SECONDS);
            }
            assertThat(MarkedProcesses.of(folder)).isEmpty();
        } finally {
            submitter.destroyForcibly();
        }
        TokenDirectory.create(temporary).close();
        assertThat(tokens()).as("of a submitter that was killed").isEmpty();
    }

    private static void awaitLine(Process submitter, String word) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(submitter.getInputStream(), StandardCharsets.UTF_8));
        List<String> lines = new ArrayList<>();
        while (lines.isEmpty() || !lines.get(lines.size() - 1).contains(word)) {
            String line = out.readLine();
            assertThat(line).as("after " + lines).isNotNull();
            lines.add(line);
        }
        Thread rest = new Thread(() -> out.lines().forEach(line -> {}), "reads the rest");
        rest.setDaemon(true);
        rest.start();
    }

    private List<Path> tokens() throws IOException {
        try (Stream<Path> all = Files.find(temporary, 2, (path, file) -> path.endsWith("token"))) {
            return all.toList();
        }
    }
}
