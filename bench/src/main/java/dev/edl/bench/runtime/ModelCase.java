package dev.edl.bench.runtime;

import dev.edl.runtime.Batch;
import dev.edl.runtime.Model;
import dev.edl.runtime.data.TableDataset;
import dev.edl.runtime.model.Mlp;
import dev.edl.runtime.model.MnistCnn;
import java.util.SplittableRandom;

/**
 * Model of the zoo with synthetic records: pixels uniform in [0, 1), classes uniform, both from a seed.
 *
 * @param name as in the names of figures and in the protocol of the peers
 * @param model the model
 * @param peer the peer's description of the model, for example {@code mlp 784 128 10}
 */
public record ModelCase(String name, Model model, String peer) {
    private static final long SEED = 20261121;

    /** Returns 784-128-10, the fully connected network for MNIST. */
    public static ModelCase mlp() {
        return new ModelCase("mlp", Mlp.of(784, 128, 10), "mlp 784 128 10");
    }

    /** Returns the convolutional network for MNIST. */
    public static ModelCase cnn() {
        return new ModelCase("cnn", new MnistCnn(), "cnn 0.25");
    }

    /** Returns the dropout mask of a batch, which a peer must apply too; empty without dropout. */
    float[] mask(Batch batch) {
        return name.equals("cnn") ? DropoutMask.of(batch.seed(), batch.size()) : new float[0];
    }

    /** Returns a model by its name. */
    static ModelCase named(String name) {
        return switch (name) {
            case "mlp" -> mlp();
            case "cnn" -> cnn();
            default -> throw new IllegalArgumentException("there is no model \"" + name + "\"");
        };
    }

    /** Returns one full batch. */
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

    /** Returns records in memory, cut into shards so that several workers share them. */
    public TableDataset data(int records, int shard) {
        SplittableRandom random = new SplittableRandom(SEED);
        float[][] rows = new float[records][model.features()];
        int[] labels = new int[records];
        for (int r = 0; r < records; r++) {
            for (int f = 0; f < rows[r].length; f++) {
                rows[r][f] = (float) random.nextDouble();
            }
            labels[r] = random.nextInt(model.outputs());
        }
        return TableDataset.of(name, rows, labels).sharded(shard);
    }

    /** Returns the model's initial values. */
    float[] parameters() {
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, SEED);
        return parameters;
    }
}
