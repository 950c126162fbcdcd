package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import java.util.SplittableRandom;

/** Seeded batches and parameters for tests. */
public final class RandomData {
    private RandomData() {}

    static Batch batch(long seed, int capacity, int size, int features, int classes) {
        SplittableRandom random = new SplittableRandom(seed);
        Batch batch = new Batch(capacity, features, 1).clear("seed " + seed);
        for (int i = 0; i < size; i++) {
            int row = batch.row();
            for (int f = 0; f < features; f++) {
                batch.features()[row * features + f] = (float) random.nextDouble(-1, 1);
            }
            batch.labels()[row] = random.nextInt(classes);
        }
        return batch;
    }

    public static float[] parameters(long seed, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] parameters = new float[size];
        for (int i = 0; i < size; i++) {
            parameters[i] = (float) random.nextDouble(-0.5, 0.5);
        }
        return parameters;
    }
}
