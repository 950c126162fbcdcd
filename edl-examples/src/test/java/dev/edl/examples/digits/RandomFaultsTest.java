package dev.edl.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.examples.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains over processes while eight faults of a seed strike any of them. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class RandomFaultsTest {
    /** A run often waits for a lease or a stopped process, so several share the processors. */
    private static final int AT_ONCE = 3;

    /** Few: a killed parameter server makes the run train all epochs since its checkpoint again. */
    private static final int EPOCHS = 3;

    private static final Map<Long, CompletableFuture<Printed>> RUNS = new TreeMap<>();

    @TempDir
    static Path folder;

    /** Five; {@code -Dedl.faults.seeds=200} for more, {@code -Dedl.faults.first=7} for others. */
    static LongStream seeds() {
        long first = Long.getLong("edl.faults.first", 0);
        return LongStream.range(first, first + Integer.getInteger("edl.faults.seeds", 5));
    }

    @BeforeAll
    static void start() {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        seeds().forEach(seed -> RUNS.put(seed, CompletableFuture.supplyAsync(() -> run(seed), threads)));
        threads.shutdown();
    }

    private static Printed run(long seed) {
        return Printed.by(
                TrainDigits::new,
                "--processes",
                "--chaos",
                Long.toString(seed),
                "--workers",
                "2",
                "--epochs",
                Integer.toString(EPOCHS),
                "--output",
                folder.resolve("seed-" + seed).toString());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_training_survives_seeded_kills_stops_and_cuts(long seed) throws IOException {
        Printed printed = Objects.requireNonNull(RUNS.get(seed)).join();
        String text = "seed " + seed + "\n" + String.join("\n", printed.out())
                + (printed.code() == 0
                        ? ""
                        : logs(folder.resolve("seed-" + seed).resolve("logs")));
        printed.out().stream().filter(line -> line.startsWith("fault ")).forEach(System.out::println);

        assertThat(printed.err()).as(text).isEmpty();
        assertThat(printed.code()).as(text).isZero();
        // A push that a server applied twice would be one step more: 3 epochs of 90 minibatches.
        assertThat(printed.out())
                .as(text)
                .anyMatch(line -> line.startsWith("Trained ") && line.endsWith(" 270 steps"))
                .anyMatch(line ->
                        line.startsWith("Proof: each of 1,438 records applied exactly once in each of 3 epochs"));
    }

    /** Returns the logs of all replicas, which show why one failed that no fault has struck. */
    private static String logs(Path folder) throws IOException {
        StringBuilder text = new StringBuilder("logs in " + folder);
        if (!Files.isDirectory(folder)) {
            return text.toString();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                text.append("\n== ").append(file.getFileName()).append('\n').append(Files.readString(file));
            }
        }
        return text.toString();
    }
}
