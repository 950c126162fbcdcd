package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever ends the JVM that submitted a job, no process of the job is left. */
@Timeout(120)
@EnabledOnOs(value = OS.LINUX, disabledReason = "processes are looked for in /proc")
class LocalDeathTest {
    @Test
    void a_jvm_that_signal_9_ends_leaves_no_process() throws Exception {
        Held held = new Held();

        held.jvm.toHandle().destroyForcibly();

        assertThat(held.exitCode()).isEqualTo(137);
        held.awaitGone();
    }

    @Test
    void ctrl_c_leaves_no_process_when_the_jvm_is_gone() throws Exception {
        assumeThat(ignoresInterrupts())
                .as("who starts this ignores SIGINT, and so does every child")
                .isFalse();
        Held held = new Held();

        signal("INT", held.jvm.pid());

        assertThat(held.exitCode()).isEqualTo(130);
        assertThat(Processes.marked(held.jvm.pid())).isEmpty();
    }

    @Test
    void term_leaves_no_process_when_the_jvm_is_gone() throws Exception {
        Held held = new Held();

        held.jvm.toHandle().destroy();

        assertThat(held.exitCode()).isEqualTo(143);
        assertThat(Processes.marked(held.jvm.pid())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"event", "line"})
    void a_listener_or_log_reader_may_end_the_jvm(String how) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ExitingJob.class.getName(),
                        how)
                .redirectErrorStream(true)
                .start();

        String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(jvm.exitValue()).as(said).isEqualTo(7);
        assertThat(said).doesNotContain("Exception");
        assertThat(Processes.marked(jvm.pid())).isEmpty();
    }

    @Test
    void a_killed_shell_of_a_replica_leaves_no_process_of_it() throws Exception {
        Held held = new Held();
        List<Long> shells = held.jvm.children().map(ProcessHandle::pid).toList();
        assertThat(shells).hasSize(3);

        for (long shell : shells) {
            signal("KILL", shell);
        }
        for (long pid : held.programs) {
            Processes.awaitGone(pid);
        }

        held.jvm.toHandle().destroyForcibly();
        held.exitCode();
        held.awaitGone();
    }

    /** Bit 1 of SigIgn is signal 2. */
    private static boolean ignoresInterrupts() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        // The JVM itself catches it, unless it was ignored before.
        return (Long.parseUnsignedLong(ignored.replaceAll(".*\\s", ""), 16) & 2) != 0;
    }

    private static void signal(String name, long pid) throws Exception {
        Process kill = new ProcessBuilder("kill", "-s", name, Long.toString(pid))
                .inheritIO()
                .start();
        assertThat(kill.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    /** A JVM with a running job of three replicas, and their process ids. */
    private static final class Held {
        final Process jvm;
        final List<Long> programs = new ArrayList<>();
        private final BufferedReader out;

        Held() throws IOException {
            jvm = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            HeldJob.class.getName())
                    .redirectErrorStream(true)
                    .start();
            out = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
            List<String> lines = new ArrayList<>();
            while (programs.size() < 6) {
                String line = out.readLine();
                assertThat(line).as("after " + lines).isNotNull();
                lines.add(line);
                if (line.matches("\\[[a-z0-9-]+] (up|child) \\d+")) {
                    programs.add(Long.parseLong(line.replaceAll(".* ", "")));
                }
            }
        }

        int exitCode() throws InterruptedException {
            assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).as("the JVM ends").isTrue();
            return jvm.exitValue();
        }

        /** Polls until the programs are gone: after the JVM's death they have no parent that could report their end. */
        void awaitGone() throws Exception {
            for (long pid : programs) {
                Processes.awaitGone(pid);
            }
            // A relaunched replica that was forked while the JVM died gets its mark late; a dead JVM forks no more.
            for (List<Long> left = Processes.marked(jvm.pid()); !left.isEmpty(); left = Processes.marked(jvm.pid())) {
                for (long pid : left) {
                    Processes.awaitGone(pid);
                }
            }
        }
    }
}
