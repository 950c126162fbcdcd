package dev.edl.bench.runtime;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.runtime.zoo.MnistCnn;
import java.util.SplittableRandom;

/**
 * Model of the zoo with synthetic records: pixels uniform in [0, 1), classes uniform, both from a seed.
 *
 * @param name name of the model in figures and in commands
 * @param model the model
 * @param peer the peer's description of the model, for example {@code mlp 784 128 10}
 */
public record BenchmarkModel(String name, Model model, String peer) {
    private static final long SEED = 20261121;

    /** Returns the fully connected network for MNIST, 784-128-10. */
    public static BenchmarkModel mlp() {
        return new BenchmarkModel("mlp", Mlp.of(784, 128, 10), "mlp 784 128 10");
    }

    /** Returns the convolutional network for MNIST. */
    public static BenchmarkModel cnn() {
        return new BenchmarkModel("cnn", new MnistCnn(), "cnn 0.25");
    }

    /** Returns the dropout mask that EDL applies to a batch, so that a peer can apply it; empty without dropout. */
    float[] mask(Batch batch) {
        return name.equals("cnn") ? DropoutMask.of(batch.seed(), batch.size()) : new float[0];
    }

    /** Returns the model with a name. */
    static BenchmarkModel named(String name) {
        return switch (name) {
            case "mlp" -> mlp();
            case "cnn" -> cnn();
            default -> throw new IllegalArgumentException("there is no model \"" + name + "\"");
        };
    }

    /** Returns a full batch of synthetic records. */
    Batch batch(int records) {
        SplittableRandom random = new SplittableRandom(SEED);
        Batch batch = Batch.of(model, records);
        for (int r = 0; r < records; r++) {
            int row = batch.row();
            for (int f = 0; f < model.features(); f++) {
                batch.features()[row * model.features() + f] = (float) random.nextDouble();
            }
            batch.labels()[row] = random.nextInt(model.outputs());
        }
        return batch.seed(SEED);
    }

    /**
     * Returns synthetic records in memory, in several data shards so that several workers share them.
     *
     * @param records number of records
     * @param shard number of records in each data shard
     */
    public ArrayDataset data(int records, int shard) {
        SplittableRandom random = new SplittableRandom(SEED);
        float[][] rows = new float[records][model.features()];
        int[] labels = new int[records];
        for (int r = 0; r < records; r++) {
            for (int f = 0; f < rows[r].length; f++) {
                rows[r][f] = (float) random.nextDouble();
            }
            labels[r] = random.nextInt(model.outputs());
        }
        return ArrayDataset.of(name, rows, labels).sharded(shard);
    }

    /** Returns the initial values of the model's parameters. */
    float[] parameters() {
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, SEED);
        return parameters;
    }
}
