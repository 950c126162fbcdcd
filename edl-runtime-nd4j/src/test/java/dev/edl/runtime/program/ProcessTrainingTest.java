package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.exec.LogLine;
import dev.edl.runtime.TrainingEvent;
import dev.edl.status.JobPhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A training as processes of this machine. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ProcessTrainingTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final Pattern EVALUATION = Pattern.compile("^Evaluation metrics\\[step=(\\d+)]");

    @TempDir
    Path folder;

    private final List<LogLine> lines = new CopyOnWriteArrayList<>();
    private final List<TrainingEvent> told = new CopyOnWriteArrayList<>();

    private static Job job(String... words) {
        return PlaneProgram.job(words)
                .name("unit")
                .ps(2)
                .workers(2)
                .elastic(1, 8)
                .build();
    }

    private String log() {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    @Test
    void each_record_is_applied_exactly_once_over_tls() throws Exception {
        Job job = job("synchronous", "2").toBuilder().env("EDL_TLS", "token").build();
        try (ProcessExecutor executor = ProcessExecutor.create(lines::add);
                ProcessRun run = executor.submit(job)) {
            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).as(end.message() + "\n" + log()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(run.result().orElseThrow().exactlyOnce()).isTrue();
        }
    }

    @Test
    void each_record_is_applied_exactly_once_in_synchronous_rounds() throws Exception {
        try (ProcessExecutor executor = ProcessExecutor.create(lines::add);
                ProcessRun run = executor.submit(job("synchronous", "6"))) {
            run.onTraining(told::add);
            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).as(end.message() + "\n" + log()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingSummary summary = run.result().orElseThrow();
            assertThat(summary.exactlyOnce()).isTrue();
            assertThat(summary.records()).isEqualTo(6 * 200);
            assertThat(run.progress().orElseThrow().tasksDone()).isEqualTo(6 * 16);
            assertThat(told)
                    .hasAtLeastOneElementOfType(TrainingEvent.Loss.class)
                    .contains(new TrainingEvent.Evaluation(summary.steps(), summary.metrics()));
        }
        // Each process logs its own losses.
        assertThat(lines)
                .anyMatch(line ->
                        line.replica().startsWith("worker-") && line.text().startsWith("Loss = "));
        assertThat(lines)
                .noneMatch(
                        line -> line.replica().equals("master") && line.text().startsWith("Loss = "));
        assertThat(log()).contains("each of 200 records applied exactly once in each of 6 epochs");
    }

    /** Returns the version of a line that reports an evaluation; -1 for another line. */
    private static int evaluated(String line) {
        Matcher matcher = EVALUATION.matcher(line);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    /** The first alone; {@code -Dedl.processes.kills=4} for all. */
    static Stream<String> kills() {
        return Stream.of(
                        "worker-0 at 100, ps-1 at 200, master at 300",
                        "master at 100",
                        "ps-0 at 100, ps-1 at 100",
                        "master at 100, ps-0 at 100")
                .limit(Integer.getInteger("edl.processes.kills", 1));
    }

    /** Each victim is killed by signal 9 at the evaluation of a version, which the master prints. */
    @ParameterizedTest
    @MethodSource("kills")
    void whatever_is_killed_each_record_is_applied_exactly_once(String kills) throws Exception {
        strike(kills, folder.resolve("checkpoints").toString());
    }

    /** Without a checkpoint directory, a master has the parameter servers' pushes and record alone. */
    @Test
    void a_master_is_killed_without_a_checkpoint_directory() throws Exception {
        strike("master at 300", PlaneProgram.NO_DIRECTORY);

        assertThat(log()).contains(" that the parameter servers held when a later master took over");
    }

    private void strike(String kills, String directory) throws Exception {
        Map<String, String> due = new LinkedHashMap<>();
        for (String kill : kills.split(", ")) {
            String[] words = kill.split(" at ");
            due.put(words[0], words[1]);
        }
        CompletableFuture<ProcessRun> running = new CompletableFuture<>();
        Consumer<LogLine> striking = line -> {
            lines.add(line);
            due.entrySet().removeIf(kill -> {
                boolean now = evaluated(line.text()) >= Integer.parseInt(kill.getValue());
                if (now) {
                    running.join().kill(kill.getKey());
                }
                return now;
            });
        };
        try (ProcessExecutor executor = ProcessExecutor.create(striking);
                ProcessRun run = executor.submit(job("asynchronous", "20", directory))) {
            running.complete(run);
            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).as(end.message() + "\n" + log()).isEqualTo(JobPhase.SUCCEEDED);
        }
        assertThat(due).as(log()).isEmpty();
        assertThat(log()).contains("each of 200 records applied exactly once in each of 20 epochs");
    }

    /**
     * The master dies when it has written the last checkpoint, when its worker leaves, and just before it exits. A
     * server dies when the worker leaves.
     */
    @Test
    void a_master_killed_at_the_end_of_a_training_has_a_successor_that_succeeds() throws Exception {
        CompletableFuture<ProcessRun> running = new CompletableFuture<>();
        Consumer<LogLine> striking = line -> {
            lines.add(line);
            if (line.text().equals("leaves") && running.join().pid("master").isPresent()) {
                running.join().kill("ps-1");
                running.join().kill("master");
            }
        };
        Path own = folder.resolve("own");
        Files.createDirectory(own);
        Files.createFile(own.resolve(Doom.GO));
        List<String> dooms = List.of("master/checkpoint/104", "master/exit/0");
        List<String> words = new ArrayList<>(
                List.of("asynchronous", "2", folder.resolve("checkpoints").toString()));
        words.addAll(dooms);
        try (ProcessExecutor executor = ProcessExecutor.create(striking);
                ProcessRun run = executor.submit(PlaneProgram.job(words.toArray(String[]::new))
                        .name("unit")
                        .env(Doom.FOLDER, own.toString())
                        .ps(2)
                        .workers(1)
                        .build())) {
            running.complete(run);
            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).as(end.message() + "\n" + log()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(run.result().orElseThrow().exactlyOnce()).isTrue();
        }
        assertThat(dooms)
                .as(log())
                .allSatisfy(word -> assertThat(Doom.done(own, word)).exists());
        assertThat(log()).contains("each of 200 records applied exactly once in each of 2 epochs");
    }
}
