package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.exec.JobStatus;
import dev.edl.exec.LogLine;
import dev.edl.plan.Endpoint;
import dev.edl.plan.RolePlan;
import dev.edl.status.JobPhase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two jobs on one machine do not interfere, and a process of another job is rejected by name. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the environment of a process is read from /proc")
class StrangerProcessTest {
    private static final Duration BOUND_OF_A_JOB = Duration.ofMinutes(2);
    private static final int BOUND_OF_A_STRANGER_SECONDS = 60;
    private static final int BOUND_OF_AN_ANSWER_MILLIS = 60_000;

    @TempDir
    Path folder;

    /** A job whose worker is held in its first gradient until the other processes have connected. */
    private final class Held implements AutoCloseable {
        private final List<LogLine> lines = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Void> trains = new CompletableFuture<>();
        private final Path own;
        private final String[] words;
        private final ProcessExecutor executor;
        private final ProcessRun run;

        Held(String name) throws IOException {
            own = Files.createDirectory(folder.resolve(name));
            Files.createFile(own.resolve(Doom.GO));
            Files.createFile(own.resolve(Doom.HOLD));
            words = new String[] {"asynchronous", "2", own.resolve("kept").toString()};
            executor = ProcessExecutor.create(line -> {
                lines.add(line);
                if (line.text().startsWith("computes ")) {
                    trains.complete(null);
                }
            });
            run = executor.submit(PlaneProgram.job(words)
                    .name(name)
                    .env(Doom.FOLDER, own.toString())
                    .ps(1)
                    .workers(1)
                    .build());
        }

        List<Integer> ports() {
            return run.plan().roles().stream()
                    .flatMap(role -> run.plan().endpoints(role).stream())
                    .map(Endpoint::port)
                    .toList();
        }

        int port(String role) {
            RolePlan plan = run.plan().role(role);
            return run.plan().endpoint(plan, 0).port();
        }

        Map<String, String> environment() throws IOException {
            long pid = run.pid("worker-0").orElseThrow();
            Map<String, String> environment = new HashMap<>();
            for (String entry :
                    Files.readString(Path.of("/proc/" + pid + "/environ")).split("\0")) {
                int end = entry.indexOf('=');
                environment.put(entry.substring(0, end), entry.substring(end + 1));
            }
            environment.remove("EDL_LOCAL_REPLICA");
            environment.put("WORKER_ID", "9");
            return environment;
        }

        String log() {
            StringBuilder text = new StringBuilder();
            lines.forEach(line -> text.append(line).append('\n'));
            return text.toString();
        }

        void succeeds() throws InterruptedException {
            JobStatus end = run.await(BOUND_OF_A_JOB);
            assertThat(end.phase()).as(end.message() + "\n" + log()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(log()).contains("each of 200 records applied exactly once in each of 2 epochs");
        }

        @Override
        public void close() {
            run.close();
            executor.close();
        }
    }

    /** Starts the program with another job's environment. */
    private static Process stranger(Map<String, String> environment, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                PlaneProgram.class.getName()));
        command.addAll(List.of(words));
        ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
        process.environment().clear();
        process.environment().putAll(environment);
        return process.start();
    }

    private static void refuses(Process stranger, String words) throws Exception {
        try {
            assertThat(stranger.waitFor(BOUND_OF_A_STRANGER_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            String said = new String(stranger.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).contains(words);
            assertThat(stranger.exitValue()).as(said).isEqualTo(70);
        } finally {
            stranger.destroyForcibly();
        }
    }

    /** Checks that a stranger names the reason in its log, and waits for a master of its own job. */
    private static void waits(Process stranger, String reason) throws Exception {
        CompletableFuture<Boolean> said = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader lines = stranger.inputReader()) {
                        lines.lines().filter(line -> line.contains(reason)).forEach(line -> said.complete(true));
                    } catch (IOException | UncheckedIOException ended) {
                        // The process was destroyed.
                    } finally {
                        said.complete(false);
                    }
                },
                "reads a stranger's output");
        reader.setDaemon(true);
        reader.start();
        try {
            assertThat(said.get(BOUND_OF_A_STRANGER_SECONDS, TimeUnit.SECONDS))
                    .as(reason)
                    .isTrue();
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    private static void sendsRubbish(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(BOUND_OF_AN_ANSWER_MILLIS);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            try (InputStream answer = socket.getInputStream()) {
                answer.readAllBytes();
            }
        }
    }

    @Test
    void two_jobs_reach_their_proofs_when_strangers_call_one_of_them() throws Exception {
        try (Held one = new Held("one");
                Held two = new Held("two")) {
            CompletableFuture.allOf(one.trains, two.trains).get(BOUND_OF_A_STRANGER_SECONDS, TimeUnit.SECONDS);
            assertThat(one.ports()).hasSize(3).doesNotContainAnyElementsOf(two.ports());

            sendsRubbish(one.port("master"));
            sendsRubbish(one.port("ps"));
            Map<String, String> otherRun = one.environment();
            otherRun.put("EDL_RUN_ID", "another");
            Map<String, String> otherToken = one.environment();
            otherToken.put("EDL_TOKEN_FILE", two.environment().get("EDL_TOKEN_FILE"));
            Process first = stranger(one.environment(), "asynchronous", "3", one.words[2]);
            Process second = stranger(otherRun, one.words);
            Process third = stranger(otherToken, one.words);
            refuses(first, "one-worker-9 has another training than the master: epochs is \"2\" here and \"3\" there");
            waits(second, " failed to authenticate with this job's token");
            waits(third, " failed to authenticate with this job's token");

            for (Held job : List.of(one, two)) {
                Files.delete(job.own.resolve(Doom.HOLD));
            }
            one.succeeds();
            two.succeeds();
            assertThat(one.log())
                    .contains("one-worker-9 has another training than the master")
                    .containsPattern("\\[master\\].*a frame must begin with 45444c46, began with 47455420")
                    .containsPattern("\\[ps-0\\].*a frame must begin with 45444c46, began with 47455420");
            assertThat(two.log()).doesNotContain("one-");
        }
    }
}
