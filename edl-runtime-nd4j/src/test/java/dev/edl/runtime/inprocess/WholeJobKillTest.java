package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.exec.JobStatus;
import dev.edl.runtime.ResumedProgress;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.status.JobPhase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All replicas of a job, including the master, are killed at once; only the files on disk remain. */
class WholeJobKillTest {
    @TempDir
    Path folder;

    @Test
    void a_training_killed_by_signal_9_resumes_in_another_process() throws Exception {
        Process killed = java(folder.toString());
        List<String> before = new ArrayList<>();
        try (BufferedReader out = out(killed)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                before.add(line);
                if (line.startsWith("midway")) {
                    // Not through the Process, which would close the stream that is read here.
                    killed.toHandle().destroyForcibly();
                }
            }
        }
        assertThat(killed.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(killed.exitValue()).as(before.toString()).isEqualTo(137);
        assertThat(before).anyMatch(line -> line.startsWith("midway"));

        Process next = java(folder.toString(), "resume");
        List<String> after;
        try (BufferedReader out = out(next)) {
            after = out.lines().toList();
        }
        assertThat(next.waitFor(30, TimeUnit.SECONDS)).isTrue();

        assertThat(after)
                .contains("end: SUCCEEDED")
                .anyMatch(line -> line.matches("each of 200 records applied exactly once in each of 6 epochs"
                        + " \\([\\d,]+ records in the checkpoint that it resumed from.*"))
                .anyMatch(line -> line.matches("ps-0 holds 312 of 312 pushes, each once; ps-1 holds 312 of 312 .*"))
                .anyMatch(line -> line.matches("exactly once: true, records: 1200, steps: 312, before: resumed from"
                        + " version \\d+ in .*version-\\d+, [\\d,]+ records and \\d+ s into the training"))
                .anyMatch(line -> line.startsWith("Evaluation metrics[step="))
                .anyMatch(line -> line.startsWith("The training resumed from version "));
    }

    private static Process java(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                KilledTraining.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static BufferedReader out(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Seeds 1 to 8; {@code -Dedl.chaos.seeds=500} for more. */
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("edl.chaos.seeds", 8));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_training_resumes_exactly_once_from_any_state_of_the_disk(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Consistency consistency = List.of(
                        Consistency.asynchronous(), Consistency.synchronous(), Consistency.staleness(2))
                .get(random.nextInt(3));
        int maxSteps = random.nextInt(3) == 0 ? 30 + random.nextInt(400) : 0;
        int due = maxSteps == 0 ? 312 : Math.min(312, maxSteps);
        String what = "seed " + seed + ", " + consistency + ", maxSteps " + maxSteps;
        Path disk = Files.createDirectory(folder.resolve("disk-0"));
        for (int life = 1; life <= 3; life++) {
            Path source = disk;
            Path image = folder.resolve("disk-" + life);
            SteppedModel model = new SteppedModel(Fixture.FEATURES);
            long moment = 20L + random.nextInt(200);
            TrainingBuilder training = Fixture.training(model)
                    .consistency(consistency)
                    .maxSteps(maxSteps)
                    .evaluationSteps(30)
                    .checkpointDirectory(source)
                    .checkpointSteps(5 + random.nextInt(30))
                    .keepCheckpoints(random.nextInt(3));
            boolean resumes = checkpoints(source) > 0;
            if (resumes) {
                training.resumeFrom(source);
            }
            AtomicBoolean taken = new AtomicBoolean();
            try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                    TrainingRun run = executor.submit(Fixture.job(2, 1 + random.nextInt(3)))) {
                model.before(step -> {
                    if (step >= moment && taken.compareAndSet(false, true)) {
                        copy(source, image);
                    }
                });
                JobStatus end = run.await(Fixture.LIMIT);
                assertThat(end.phase()).as(what + ": " + end.message()).isEqualTo(JobPhase.SUCCEEDED);
                TrainingResult result = run.result().orElseThrow();
                assertThat(result.exactlyOnce())
                        .as(what + ": " + result.proof())
                        .isTrue();
                assertThat(result.pushesExpected()).as(what).isEqualTo(due);
                assertThat(result.records()).as(what).isEqualTo(run.progress().recordsDone());
                assertThat(result.resumed().isPresent()).as(what).isEqualTo(resumes);
                assertThat(result.ledgerProof().resumed())
                        .as(what)
                        .isEqualTo(
                                result.resumed().map(ResumedProgress::records).orElse(0L));
            }
            if (!taken.get()) {
                return;
            }
            disk = image;
        }
    }

    private static long checkpoints(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> f.getFileName().toString().startsWith("version-"))
                    .count();
        }
    }

    /**
     * Copies the files at about this moment, while others write them. Restarts if a checkpoint is deleted meanwhile:
     * no real disk lacks both that checkpoint and the newer one that replaces it.
     */
    private static void copy(Path from, Path to) {
        try {
            while (!copied(from, to)) {
                for (Path file :
                        content(to).stream().sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new AssertionError("the image could not be taken: " + e, e);
        }
    }

    private static boolean copied(Path from, Path to) throws IOException {
        for (Path file : content(from)) {
            Path name = from.relativize(file);
            try {
                Files.copy(file, to.resolve(name.toString()), StandardCopyOption.REPLACE_EXISTING);
            } catch (NoSuchFileException gone) {
                // It was renamed or deleted a moment ago, so it does not exist on this disk.
                assertThat(gone).hasMessageContaining(file.toString());
                if (name.toString().startsWith("version-")) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<Path> content(Path directory) throws IOException {
        while (true) {
            try (Stream<Path> files = Files.walk(directory)) {
                return files.toList();
            } catch (UncheckedIOException e) {
                // A checkpoint was renamed or deleted during the copy.
                assertThat(e).hasCauseInstanceOf(NoSuchFileException.class);
            }
        }
    }

    @Test
    void a_crash_during_a_checkpoint_is_recoverable() throws Exception {
        Path run = folder.resolve("run");
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        List<Path> checkpoints = new CopyOnWriteArrayList<>();
        Training training = Fixture.training(model)
                .checkpointDirectory(run)
                .keepCheckpoints(0)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun first = executor.submit(Fixture.job(2, 1))) {
            model.before(step -> {
                if (step == 60 || step == 130) {
                    checkpoints.add(written(first));
                }
            });
            first.await(Fixture.LIMIT);
        }
        assertThat(checkpoints).hasSize(2);
        Path old = checkpoints.get(0);
        Path young = checkpoints.get(1);
        List<Path> parts = parts(young);
        assertThat(parts).hasSize(3);

        List<Path> disks = new ArrayList<>();
        for (int written = 0; written <= parts.size(); written++) {
            for (boolean torn : new boolean[] {false, true}) {
                if (torn && written == 0) {
                    continue;
                }
                Path disk = Files.createDirectory(folder.resolve("new-" + written + (torn ? "-torn" : "")));
                copy(old, disk.resolve(old.getFileName()));
                Path hidden = Files.createDirectory(disk.resolve(".checkpoint-new"));
                for (int i = 0; i < written; i++) {
                    byte[] bytes = Files.readAllBytes(parts.get(i));
                    boolean half = torn && i == written - 1;
                    Files.write(
                            hidden.resolve(parts.get(i).getFileName()),
                            half ? Arrays.copyOf(bytes, bytes.length / 2) : bytes);
                }
                disks.add(disk);
            }
        }
        for (int removed = 0; removed <= parts.size(); removed++) {
            Path disk = Files.createDirectory(folder.resolve("old-" + removed));
            copy(young, disk.resolve(young.getFileName()));
            Path hidden = Files.createDirectory(disk.resolve(".checkpoint-old"));
            for (Path part : parts(old).subList(removed, parts.size())) {
                Files.copy(part, hidden.resolve(part.getFileName()));
            }
            disks.add(disk);
        }
        for (Path disk : disks) {
            Training rest = Fixture.training(new LogisticModel(Fixture.FEATURES))
                    .checkpointDirectory(disk)
                    .resumeFrom(disk)
                    .build();
            try (InProcessExecutor executor = InProcessExecutor.of(rest);
                    TrainingRun next = executor.submit(Fixture.job(2, 2))) {
                JobStatus end = next.await(Fixture.LIMIT);
                assertThat(end.phase()).as(disk + ": " + end.message()).isEqualTo(JobPhase.SUCCEEDED);
                TrainingResult result = next.result().orElseThrow();
                assertThat(result.exactlyOnce())
                        .as(disk + ": " + result.proof())
                        .isTrue();
                Path from = disk.getFileName().toString().startsWith("new") ? old : young;
                assertThat(result.resumed().orElseThrow().version())
                        .as("" + disk)
                        .isEqualTo(version(from));
                assertThat(result.tookInAll()).as("" + disk).isGreaterThan(result.took());
            }
        }
    }

    private static Path written(TrainingRun run) {
        try {
            return run.checkpoint();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("no checkpoint", e);
        }
    }

    private static List<Path> parts(Path checkpoint) throws IOException {
        try (Stream<Path> files = Files.list(checkpoint)) {
            // In write order: the shards, then the manifest.
            return files.sorted((a, b) -> Boolean.compare(
                            a.toString().contains("manifest"), b.toString().contains("manifest")))
                    .toList();
        }
    }

    private static long version(Path checkpoint) {
        return Long.parseLong(checkpoint.getFileName().toString().substring("version-".length()));
    }
}
