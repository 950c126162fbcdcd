package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.Model;
import java.util.SplittableRandom;

/** Seeded batches of records with ids, some missing and some twice in a record, with the values of their rows. */
final class RandomClicks {
    private RandomClicks() {}

    static Batch batch(long seed, Model model, int capacity, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        Batch batch = Batch.of(model, capacity).clear("seed " + seed);
        for (int i = 0; i < size; i++) {
            int row = batch.row();
            for (int f = 0; f < model.features(); f++) {
                batch.features()[row * model.features() + f] = (float) random.nextDouble(-1, 1);
            }
            for (int f = 0; f < model.ids(); f++) {
                // Few ids, so that they repeat; one in six is missing, one in six large.
                int drawn = random.nextInt(6);
                batch.ids()[row * model.ids() + f] =
                        drawn == 0 ? -1 - f : drawn == 1 ? Long.MAX_VALUE - random.nextInt(2) : random.nextInt(4);
            }
            for (int l = 0; l < model.labels(); l++) {
                batch.labels()[row * model.labels() + l] = random.nextInt(2);
            }
        }
        return fill(seed, batch.gather());
    }

    /** Draws the values of the rows. */
    static Batch fill(long seed, Batch batch) {
        SplittableRandom random = new SplittableRandom(~seed);
        for (EmbeddingRows rows : batch.tables()) {
            for (int i = 0; i < rows.count() * rows.table().dimension(); i++) {
                rows.values()[i] = (float) random.nextDouble(-0.8, 0.8);
            }
        }
        return batch;
    }
}
