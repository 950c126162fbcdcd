import com.fasterxml.jackson.databind.ObjectMapper;
import dev.edl.Job;
import dev.edl.mlflow.MlflowTracking;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.Mlp;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * EDL's half of the check. {@code report SERVER FOLDER SEED} trains once and prints the run's id. {@code disturb SERVER
 * GROUP SEED} trains without MLflow, with it, with a server that halts during the training, and with a killed server.
 */
final class TrackedTraining {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int SHORT = 40;
    private static final int LONG = 500;
    /** Version at which the server is disturbed. */
    private static final long MIDDLE = 20_000;

    private TrackedTraining() {}

    public static void main(String[] args) throws Exception {
        URI server = URI.create(args[1]);
        long seed = Long.parseLong(args[3]);
        if (args[0].equals("report")) {
            report(server, Path.of(args[2]), seed);
        } else {
            disturb(server, args[2], seed);
        }
    }

    private static void report(URI server, Path folder, long seed) throws Exception {
        MlflowTracking tracking = MlflowTracking.to(server)
                .experiment("edl check")
                .runName("points")
                .parameter("data", "points of seed " + seed)
                .interval(Duration.ofMillis(100))
                .build();
        String id = tracking.awaitRunId(Duration.ofSeconds(30)).orElseThrow();
        Map<String, Map<String, Double>> evaluations = new TreeMap<>();
        Training training = training(seed, SHORT)
                .export(folder.resolve("model.npz"))
                .callback(tracking)
                .callback(new TrainingCallback() {
                    @Override
                    public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control) {
                        metrics.forEach((name, value) -> evaluations
                                .computeIfAbsent(name, key -> new TreeMap<>())
                                .put(Long.toString(version), value));
                    }
                })
                .onTraining(tracking)
                .build();
        TrainingResult result = train(training);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("model", "Mlp");
        parameters.put("optimizer", training.optimizer().toString());
        parameters.put("learning_rate", training.learningRate().toString());
        parameters.put("consistency", training.consistency().toString());
        parameters.put("minibatch", "20");
        parameters.put("minibatches_per_task", "10");
        parameters.put("epochs", Integer.toString(SHORT));
        parameters.put("max_steps", "0");
        parameters.put("shuffle", Boolean.toString(training.shuffle()));
        parameters.put("seed", Long.toString(training.seed()));
        parameters.put("evaluation_steps", Integer.toString(SHORT * 10));
        parameters.put("data", "points of seed " + seed);
        new ObjectMapper()
                .writeValue(
                        folder.resolve("expected.json").toFile(),
                        Map.of(
                                "parameters", parameters,
                                "metrics", evaluations,
                                "steps", result.steps(),
                                "records", result.records(),
                                "reproduce", result.reproduce()));
        System.out.println(id);
    }

    private static void disturb(URI server, String group, long seed) throws Exception {
        TrainingResult alone = train(training(seed, LONG).build());
        tracked(server, seed, alone, "");
        double[] without = new double[5];
        double[] listened = new double[5];
        double[] with = new double[5];
        for (int i = 0; i < without.length; i++) {
            without[i] = seconds(train(training(seed, LONG).build()).took());
            listened[i] = seconds(train(training(seed, LONG)
                            .onTraining(event -> {})
                            .callback(new TrainingCallback() {})
                            .build())
                    .took());
            with[i] = seconds(tracked(server, seed, alone, "").took());
        }
        double base = median(without);
        System.out.printf(
                Locale.ROOT,
                "%,d steps, medians of %d: %.2f s without MLflow, with an empty callback and listener %.2f times that,"
                        + " with MLflow %.2f times%n",
                alone.steps(),
                without.length,
                base,
                median(listened) / base,
                median(with) / base);
        disturbed(server, seed, alone, base, "halted", "kill -s STOP -- -" + group);
        run("kill -s CONT -- -" + group);
        disturbed(server, seed, alone, base, "killed", "kill -s KILL -- -" + group);
    }

    private static void disturbed(
            URI server, long seed, TrainingResult alone, double base, String what, String command) throws Exception {
        long began = System.nanoTime();
        TrainingResult result = tracked(server, seed, alone, command);
        double all = (System.nanoTime() - began) / 1e9;
        double took = seconds(result.took());
        System.out.printf(
                Locale.ROOT,
                "the server was %s at version %,d: the same result in %.2f s, ratio %.2f; the end waited %.1f s%n",
                what,
                MIDDLE,
                took,
                took / base,
                all - took);
        if (took > 3 * base || all - took > 6) {
            throw new IllegalStateException("a server that is " + what + " slowed the training");
        }
    }

    private static TrainingResult tracked(URI server, long seed, TrainingResult alone, String command)
            throws Exception {
        MlflowTracking tracking = MlflowTracking.to(server)
                .experiment("edl check")
                .requestTimeout(Duration.ofSeconds(1))
                .endTimeout(Duration.ofSeconds(2))
                .build();
        TrainingBuilder training = training(seed, LONG).callback(tracking).onTraining(tracking);
        if (!command.isEmpty()) {
            tracking.awaitRunId(Duration.ofSeconds(30)).orElseThrow();
            training.callback(new TrainingCallback() {
                @Override
                public void onEvaluation(long version, Map<String, Double> metrics, TrainingControl control)
                        throws IOException, InterruptedException {
                    if (version == MIDDLE) {
                        run(command);
                    }
                }
            });
        }
        TrainingResult result = train(training.build());
        if (!result.exactlyOnce()
                || result.steps() != alone.steps()
                || !result.metrics().equals(alone.metrics())) {
            throw new IllegalStateException("with MLflow: " + result + "; without: " + alone);
        }
        return result;
    }

    private static void run(String command) throws IOException, InterruptedException {
        if (new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor() != 0) {
            throw new IOException(command + " failed");
        }
    }

    private static double seconds(Duration length) {
        return length.toNanos() / 1e9;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static TrainingBuilder training(long seed, int epochs) {
        return Training.builder()
                .model(epochs == LONG ? Mlp.of(2, 256, 2) : Mlp.of(2, 8, 2))
                .data(points(seed))
                .validation(points(seed + 1))
                .optimizer(Optimizer.adam(0.01f))
                .minibatch(20)
                .minibatchesPerTask(10)
                .epochs(epochs)
                .evaluationSteps(epochs * 10);
    }

    private static ArrayDataset points(long seed) {
        Random random = new Random(seed);
        float[][] rows = new float[2000][];
        int[] labels = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new float[] {random.nextFloat() - 0.5f, random.nextFloat() - 0.5f};
            labels[i] = rows[i][0] * rows[i][1] > 0 ? 1 : 0;
        }
        return ArrayDataset.of(rows, labels);
    }

    private static TrainingResult train(Training training) throws Exception {
        Job job = Job.builder()
                .name("points")
                .elasticdl()
                .master()
                .ps(1)
                .workers(1)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            return run.awaitResult(LIMIT);
        }
    }
}
