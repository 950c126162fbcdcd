package dev.edl.bench.remote;

import dev.edl.Job;
import dev.edl.bench.runtime.BenchmarkModel;
import dev.edl.bench.runtime.BenchmarkTrainings;
import dev.edl.bench.runtime.CountedModel;
import dev.edl.bench.runtime.StandaloneWorker;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.program.ProcessExecutor;
import dev.edl.runtime.program.ProcessRun;
import dev.edl.runtime.program.ProgramJobs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Measures records per second for one worker up to one per processor. Prints a Markdown table for the MLP and the CNN,
 * and writes a picture of each.
 *
 * <p>Two loops give the upper bounds. For asynchronous training, threads compute and share nothing. For synchronous
 * training, they also meet at a barrier after each step, so the slowest thread sets the pace. The trainings have two
 * parameter servers, minibatches of 64 and plain SGD. Each window of {@link #WINDOW} ms begins {@link #WARM_UP} ms
 * after the first {@link #FIRST} steps. The program uses its own stopwatch instead of JMH, because it measures a whole
 * training.
 */
public final class ScalingSpeed {
    private static final int BATCH = 64;
    private static final int SERVERS = 2;
    private static final int RECORDS = 8192;
    private static final int SHARD = 512;
    private static final int FOREVER = 1_000_000;
    private static final int FIRST = 200;
    private static final int WARM_UP = 1500;
    private static final int WINDOW = 3000;

    /** Measured rates, in the order of the table's columns. */
    enum Side {
        COMPUTE("compute only", "#767676", "2 3"),
        BARRIER("compute and meet", "#9467bd", "1 2"),
        ASYNCHRONOUS("asynchronous", "#1f77b4", "none"),
        SYNCHRONOUS("synchronous", "#d62728", "6 3"),
        PROCESSES("asynchronous, processes", "#2ca02c", "10 4");

        final String title;
        /** Attributes of the side's line in the picture. */
        final String stroke;

        Side(String title, String colour, String dashes) {
            this.title = title;
            this.stroke = "stroke=\"" + colour + "\" stroke-dasharray=\"" + dashes + "\"";
        }
    }

    private ScalingSpeed() {}

    /** Arguments: {@code DIRECTORY [WORKERS]}: the directory of the pictures, and the largest number of workers. */
    public static void main(String[] args) throws Exception {
        int most = args.length > 1
                ? Integer.parseInt(args[1])
                : Runtime.getRuntime().availableProcessors();
        for (BenchmarkModel model : List.of(BenchmarkModel.mlp(), BenchmarkModel.cnn())) {
            NavigableMap<Integer, Map<Side, Double>> rates = new TreeMap<>();
            print(model.name() + ", workers");
            for (int workers : workers(most)) {
                rates.put(workers, row(model, workers));
                print(workers, rates.get(workers));
            }
            Path picture = Path.of(args[0]).resolve("scaling-" + model.name() + ".svg");
            Files.writeString(picture, ScalingPicture.of(model.name(), rates));
            System.out.println("\nPicture: " + picture + "\n");
        }
        // A native backend leaves threads running.
        System.exit(0);
    }

    /** Returns the powers of two up to a number, and the number. */
    private static NavigableSet<Integer> workers(int most) {
        NavigableSet<Integer> counts = new TreeSet<>(List.of(most));
        for (int count = 1; count < most; count *= 2) {
            counts.add(count);
        }
        return counts;
    }

    private static void print(String first) {
        StringBuilder names = new StringBuilder("| " + first + " |");
        StringBuilder line = new StringBuilder("|---|");
        for (Side side : Side.values()) {
            names.append(' ').append(side.title).append(" |");
            line.append("---|");
        }
        System.out.println(names + "\n" + line);
    }

    private static void print(int workers, Map<Side, Double> rates) {
        StringBuilder row = new StringBuilder("| " + workers + " |");
        double bound = rates.getOrDefault(Side.COMPUTE, 1.0);
        for (Side side : Side.values()) {
            Double rate = rates.get(side);
            row.append(rate == null ? " |" : String.format(Locale.ROOT, " %,.0f (%.2f) |", rate, rate / bound));
        }
        System.out.println(row);
    }

    private static Map<Side, Double> row(BenchmarkModel model, int workers) throws Exception {
        Map<Side, Double> rates = new EnumMap<>(Side.class);
        rates.put(Side.COMPUTE, compute(model, workers, new Phaser()));
        rates.put(Side.BARRIER, compute(model, workers, new Phaser(workers)));
        rates.put(Side.ASYNCHRONOUS, inJvm(model, workers, Consistency.asynchronous()));
        rates.put(Side.SYNCHRONOUS, inJvm(model, workers, Consistency.synchronous()));
        if (model.name().equals("mlp")) {
            rates.put(Side.PROCESSES, processes(workers));
        }
        return rates;
    }

    /** Measures threads that meet after each step, as synchronous workers do, if the barrier has parties. */
    private static double compute(BenchmarkModel model, int workers, Phaser barrier) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        LongAdder steps = new LongAdder();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            Thread thread = new Thread(() -> {
                try (StandaloneWorker worker = new StandaloneWorker(model, BATCH)) {
                    while (!stop.get()) {
                        worker.step();
                        steps.increment();
                        if (barrier.getRegisteredParties() > 0) {
                            barrier.arriveAndAwaitAdvance();
                        }
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        double rate = rate(workers + " threads", steps::sum);
        stop.set(true);
        barrier.forceTermination();
        for (Thread thread : threads) {
            thread.join();
        }
        return rate;
    }

    private static double inJvm(BenchmarkModel of, int workers, Consistency consistency) throws Exception {
        CountedModel model = new CountedModel(of.model(), () -> {}, 1);
        TrainingBuilder training = BenchmarkTrainings.of(model, of.data(RECORDS, SHARD), BATCH, FOREVER);
        Job job = Job.builder()
                .name("bench-" + workers)
                .elasticdl()
                .master()
                .ps(SERVERS)
                .workers(workers)
                .build();
        try (InProcessExecutor executor =
                        InProcessExecutor.of(training.consistency(consistency).build());
                TrainingRun run = executor.submit(job)) {
            return rate(run, model::steps);
        }
    }

    private static double processes(int workers) throws Exception {
        Path file = Files.createTempFile("edl-bench-", ".counts");
        StepCounts counts = StepCounts.of(file);
        Job job = ProgramJobs.here(ReplicaMain.class, file.toString())
                .name("bench-" + workers)
                .ps(SERVERS)
                .workers(workers)
                .build();
        try (ProcessExecutor executor = ProcessExecutor.create();
                ProcessRun run = executor.submit(job)) {
            BenchmarkTrainings.await("all workers of " + run, () -> counts.workers(2) == workers);
            return rate(run, counts::steps);
        } finally {
            Files.delete(file);
        }
    }

    private static double rate(Object run, LongSupplier steps) throws Exception {
        BenchmarkTrainings.await("the first steps of " + run, () -> steps.getAsLong() > FIRST);
        Thread.sleep(WARM_UP);
        long before = steps.getAsLong();
        long began = System.nanoTime();
        Thread.sleep(WINDOW);
        return (steps.getAsLong() - before) * BATCH * 1e9 / (System.nanoTime() - began);
    }
}
