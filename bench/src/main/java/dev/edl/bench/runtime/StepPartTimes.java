package dev.edl.bench.runtime;

import dev.edl.bench.runtime.shards.ShardGroups;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.StepResultCheck;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.zoo.DeepFm;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.runtime.zoo.MnistCnn;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Program that times the parts of one worker's step, one after the other on one thread, in asynchronous training by
 * Adam with two parameter shards. Prints the medians as a Markdown table.
 *
 * <p>It uses its own stopwatch, because the parts follow each other on the same arrays as in a training, and each
 * depends on what the previous one left in the caches.
 */
public final class StepPartTimes {
    private static final long SEED = 20261121;
    private static final int PARTS = 5;

    private StepPartTimes() {}

    /** Prints the table. */
    public static void main(String[] args) throws InterruptedException {
        System.out.println("| model, records | minibatch | pull | gradient | look for NaN | push | a step |");
        System.out.println("|---|---|---|---|---|---|---|");
        row("`Mlp` 784-128-10, 64", Mlp.of(784, 128, 10), 64, 3000);
        row("`Mlp` 784-128-10, 256", Mlp.of(784, 128, 10), 256, 1500);
        row("`MnistCnn`, 64", new MnistCnn(), 64, 60);
        row(
                "`DeepFm` 26 x 8 + 13, 64",
                DeepFm.builder()
                        .fields(26)
                        .numeric(13)
                        .dimension(8)
                        .hidden(16, 4)
                        .build(),
                64,
                3000);
    }

    private static void row(String name, Model model, int records, int steps) throws InterruptedException {
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, SEED);
        LocalShards shards = ShardGroups.of(ShardContents.of(model, SEED), 2, Optimizer.adam(1e-4f), parameters);
        Batch all = records(model, 8 * records);
        Batch minibatch = Batch.of(model, records);
        float[] gradient = new float[parameters.length];
        ShardsPort worker = shards.worker("worker-0");
        WeightVersions base = new WeightVersions(worker.count());
        double[][] micros = new double[PARTS][steps];
        try (Model.Session session = model.open(records)) {
            for (int step = -steps; step < steps; step++) {
                long t0 = System.nanoTime();
                minibatch.clear("");
                for (int i = 0; i < records; i++) {
                    minibatch.addRow(all, (i * 7 + step + steps) % (8 * records), i);
                }
                minibatch.seed(step);
                minibatch.gather();
                long t1 = System.nanoTime();
                worker.pull(parameters, minibatch.tables(), base);
                long t2 = System.nanoTime();
                session.gradient(parameters, minibatch, gradient);
                long t3 = System.nanoTime();
                boolean finite = StepResultCheck.finite(gradient, 0, gradient.length);
                long t4 = System.nanoTime();
                worker.push(step + steps, base, gradient, minibatch.tables());
                long t5 = System.nanoTime();
                if (!finite) {
                    throw new IllegalStateException(name + " diverged at step " + step);
                }
                if (step >= 0) {
                    long[] times = {t0, t1, t2, t3, t4, t5};
                    for (int p = 0; p < PARTS; p++) {
                        micros[p][step] = (times[p + 1] - times[p]) / 1e3;
                    }
                }
            }
        }
        print(name, micros);
    }

    /**
     * Prints the row of a model. A push also looks for NaN once; that time is subtracted from the push, since it is a
     * separate part.
     */
    private static void print(String name, double[][] micros) {
        double[] parts = new double[PARTS];
        for (int p = 0; p < PARTS; p++) {
            Arrays.sort(micros[p]);
            parts[p] = micros[p][micros[p].length / 2];
        }
        parts[4] -= parts[3];
        double whole = Arrays.stream(parts).sum();
        StringBuilder line = new StringBuilder("| ").append(name);
        for (double part : parts) {
            line.append(String.format(Locale.ROOT, " | %,.0f us, %.1f %%", part, 100 * part / whole));
        }
        System.out.println(line.append(String.format(Locale.ROOT, " | %,.0f us |", whole)));
    }

    /**
     * Returns synthetic records: features uniform in [0, 1), ids uniform over 1,000 for each column, and classes (or
     * clicks) uniform.
     */
    private static Batch records(Model model, int count) {
        SplittableRandom random = new SplittableRandom(SEED);
        Batch batch = new Batch(count, model.features(), model.labels(), model.ids(), List.of());
        int classes = Math.max(2, model.outputs());
        for (int r = 0; r < count; r++) {
            int row = batch.row();
            for (int f = 0; f < model.features(); f++) {
                batch.features()[row * model.features() + f] = (float) random.nextDouble();
            }
            for (int i = 0; i < model.ids(); i++) {
                batch.ids()[row * model.ids() + i] = 1000L * i + random.nextInt(1000);
            }
            batch.labels()[row] = random.nextInt(classes);
        }
        return batch;
    }
}
