package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobStatus;
import dev.edl.exec.LogLine;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills by signal 9 from a seed. In each run one worker dies before its first task, one within a task, one while it
 * pushes and one after its last task. In a third of the runs a parameter server also dies, in another third the
 * master.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "processes are looked for in /proc")
class RandomKillsTest {
    /** Bound of one run, which takes 16 to 36 s beside others on two processors. */
    private static final Duration BOUND_OF_A_RUN = Duration.ofMinutes(3);

    /** The executor's shell of a replica ends just after it. */
    private static final int BOUND_OF_THE_LAST_SHELL_SECONDS = 10;

    /** False with {@code -Dedl.processes.checkpoints=false}: no checkpoints. */
    private static final boolean CHECKPOINTS =
            Boolean.parseBoolean(System.getProperty("edl.processes.checkpoints", "true"));

    private static final int WORKERS = 4;
    private static final int EPOCHS = 4;
    /** A killed worker's tasks come back after seconds, so several runs share the processors. */
    private static final int AT_ONCE = 3;

    @TempDir
    static Path folder;

    private static final Map<Long, CompletableFuture<Outcome>> RUNS = new TreeMap<>();

    /** Three; {@code -Dedl.processes.seeds=20} for more, {@code -Dedl.processes.first=7} for others. */
    static LongStream seeds() {
        long first = Long.getLong("edl.processes.first", 0);
        return LongStream.range(first, first + Integer.getInteger("edl.processes.seeds", 3));
    }

    @BeforeAll
    static void start() {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        seeds().forEach(seed -> RUNS.put(seed, CompletableFuture.supplyAsync(() -> run(seed), threads)));
        threads.shutdown();
    }

    /** What has become of a run. */
    private record Outcome(
            List<String> words,
            JobStatus end,
            List<LogLine> lines,
            List<JobEvent> events,
            long left,
            double seconds,
            Path folder) {
        String text(long seed) {
            StringBuilder text = new StringBuilder("seed " + seed + ", " + words + ": " + end.message() + "\n");
            lines.forEach(line -> text.append(line).append('\n'));
            events.forEach(event -> text.append(event).append('\n'));
            return text.toString();
        }

        boolean workersAlone() {
            return words.stream().allMatch(word -> word.startsWith("worker"));
        }

        /** Returns the minibatches whose gradient was computed again. */
        long computedAgain() {
            Map<String, Integer> times = new HashMap<>();
            lines.stream()
                    .filter(line -> line.text().startsWith("computes "))
                    .forEach(line -> times.merge(line.text(), 1, Integer::sum));
            return times.values().stream().mapToLong(n -> n - 1L).sum();
        }
    }

    private static List<String> words(long seed) {
        Random random = new Random(seed);
        List<Integer> workers = new ArrayList<>(List.of(0, 1, 2, 3));
        Collections.shuffle(workers, random);
        List<String> words = new ArrayList<>();
        words.add("worker-" + workers.get(0) + "/before/0");
        words.add("worker-" + workers.get(1) + "/inside/" + (1 + random.nextInt(6)));
        words.add("worker-" + workers.get(2) + "/pushing/" + (1 + random.nextInt(6)) + "/" + random.nextInt(600));
        words.add("worker-" + workers.get(3) + "/after/0");
        if (seed % 3 == 1) {
            words.add("ps-" + random.nextInt(2) + "/update/" + (1 + random.nextInt(150)));
        } else if (seed % 3 == 2) {
            words.add("master/progress/" + (1 + random.nextInt(40)));
        }
        return words;
    }

    private static Outcome run(long seed) {
        List<String> words = words(seed);
        List<LogLine> lines = new CopyOnWriteArrayList<>();
        AtomicInteger up = new AtomicInteger();
        long began = System.nanoTime();
        try {
            Path own = Files.createDirectory(folder.resolve("seed-" + seed));
            String kept = CHECKPOINTS ? own.resolve("kept").toString() : PlaneProgram.NO_DIRECTORY;
            List<String> all = new ArrayList<>(List.of("asynchronous", "" + EPOCHS, kept));
            all.addAll(words);
            JobStatus end;
            List<JobEvent> events;
            try (ProcessExecutor executor = ProcessExecutor.create(line -> {
                        lines.add(line);
                        if (line.text().equals("up") && up.incrementAndGet() == WORKERS) {
                            open(own);
                        }
                    });
                    ProcessRun run = executor.submit(PlaneProgram.job(all.toArray(String[]::new))
                            .name("kills-" + seed)
                            .env(Doom.FOLDER, own.toString())
                            .ps(2)
                            .workers(WORKERS)
                            .elastic(1, 8)
                            .build())) {
                end = ended(run);
                events = run.events();
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            return new Outcome(words, end, List.copyOf(lines), events, left(own), seconds, own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the last status of a run; the text of a failure shows what it waited for. */
    private static JobStatus ended(ProcessRun run) throws InterruptedException {
        try {
            return run.await(BOUND_OF_A_RUN);
        } catch (AwaitTimeoutException e) {
            return e.status();
        }
    }

    /** Returns the number of processes that do not end with the executor. */
    private static long left(Path own) throws InterruptedException {
        long left = 0;
        for (ProcessHandle process : MarkedProcesses.of(own)) {
            try {
                process.onExit().get(BOUND_OF_THE_LAST_SHELL_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                left++;
            }
        }
        return left;
    }

    private static void open(Path folder) {
        try {
            Files.createFile(folder.resolve(Doom.GO));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void each_record_is_applied_exactly_once_under_seeded_random_kills(long seed) {
        Outcome outcome = Objects.requireNonNull(RUNS.get(seed)).join();
        String text = outcome.text(seed);
        System.out.printf("seed %d: %.1f s, %d computed again%n", seed, outcome.seconds, outcome.computedAgain());

        assertThat(outcome.end.phase()).as(text).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(text).contains("each of 200 records applied exactly once in each of " + EPOCHS + " epochs");
        assertThat(outcome.words)
                .as(text)
                .allSatisfy(word -> assertThat(Doom.done(outcome.folder, word)).exists());
        assertThat(outcome.words.stream().filter(word -> !word.endsWith("after/0")))
                .as(text)
                .allSatisfy(word -> assertThat(text)
                        .contains("-" + word.substring(0, word.indexOf('/')) + " failed: exit code 137"));
        assertThat(outcome.left).as("processes that are left of " + text).isZero();
        if (outcome.workersAlone()) {
            assertThat(outcome.computedAgain())
                    .as("minibatches that " + WORKERS + " kills have cost in " + text)
                    .isLessThanOrEqualTo(WORKERS);
        }
    }
}
