package dev.edl.examples.cnn;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.util.List;

/**
 * Dataset of square images that are resized bilinearly: a new pixel is interpolated, at its centre, between the four
 * nearest pixels of the original. Beyond the centres of the original's outermost pixels, these are repeated.
 */
final class EnlargedImages implements Dataset {
    private final Dataset images;
    private final int from;
    private final int to;
    /** For each row (and column) of a new image: the preceding row of the original. */
    private final int[] before;

    /** For each row (and column) of a new image: the following row of the original. */
    private final int[] behind;
    /** For each row (and column) of a new image: the weight of the following row. */
    private final float[] share;

    /**
     * Creates a dataset of resized images.
     *
     * @param images dataset whose records have {@code from} x {@code from} floats
     * @param from width and height of the original images
     * @param to width and height of the new images
     */
    EnlargedImages(Dataset images, int from, int to) {
        if (images.features() != from * from) {
            throw new IllegalArgumentException("images must have " + from + " x " + from + " pixels, but a record of "
                    + images + " has " + images.features() + " features");
        }
        this.images = images;
        this.from = from;
        this.to = to;
        this.before = new int[to];
        this.behind = new int[to];
        this.share = new float[to];
        for (int i = 0; i < to; i++) {
            float centre = Math.max(0, Math.min(from - 1f, (i + 0.5f) * from / to - 0.5f));
            before[i] = (int) centre;
            behind[i] = Math.min(from - 1, before[i] + 1);
            share[i] = centre - before[i];
        }
    }

    @Override
    public List<DataShard> shards() {
        return images.shards();
    }

    @Override
    public int features() {
        return to * to;
    }

    @Override
    public int labels() {
        return images.labels();
    }

    @Override
    public void read(String shard, long start, long end, Batch into) throws IOException {
        if (start == end) {
            return;
        }
        Batch small = new Batch(Math.toIntExact(end - start), from * from, labels());
        images.read(shard, start, end, small);
        for (int record = 0; record < small.size(); record++) {
            int row = into.row();
            enlarge(small.features(), record * from * from, into.features(), row * to * to);
            System.arraycopy(small.labels(), record * labels(), into.labels(), row * labels(), labels());
        }
    }

    private void enlarge(float[] small, int at, float[] large, int to0) {
        for (int y = 0; y < to; y++) {
            int upper = at + before[y] * from;
            int lower = at + behind[y] * from;
            for (int x = 0; x < to; x++) {
                float top = mix(small[upper + before[x]], small[upper + behind[x]], share[x]);
                float bottom = mix(small[lower + before[x]], small[lower + behind[x]], share[x]);
                large[to0 + y * to + x] = mix(top, bottom, share[y]);
            }
        }
    }

    private static float mix(float a, float b, float share) {
        return a + (b - a) * share;
    }

    /** Returns, for example, {@code EnlargedImages[8 x 8 to 28 x 28, RecordIoDataset[...]]}. */
    @Override
    public String toString() {
        return "EnlargedImages[" + from + " x " + from + " to " + to + " x " + to + ", " + images + "]";
    }
}
