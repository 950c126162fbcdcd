package {{package}};

import dev.edl.runtime.Training;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.runtime.optimizers.Optimizer;
import java.util.Random;

/** A network that learns which points are inside a circle. Replace model and data with your own. */
final class PointsTraining {
    private static final double RADIUS = 0.8;

    private PointsTraining() {}

    /** Returns the training. Master, servers and workers each create it, so it must be the same in each process. */
    static Training training() {
        return Training.builder()
                .model(Mlp.of(2, 16, 2))
                .data(() -> points(4000, 1))
                .validation(() -> points(1000, 2))
                .optimizer(Optimizer.adam(0.01f))
                .minibatch(32)
                .epochs(10)
                .build();
    }

    /** Returns random points of a square, with label 1 inside the circle and 0 outside. */
    private static ArrayDataset points(int count, long seed) {
        Random random = new Random(seed);
        float[][] points = new float[count][];
        int[] inside = new int[count];
        for (int i = 0; i < count; i++) {
            points[i] = new float[] {random.nextFloat() * 2 - 1, random.nextFloat() * 2 - 1};
            inside[i] = Math.hypot(points[i][0], points[i][1]) < RADIUS ? 1 : 0;
        }
        return ArrayDataset.of(points, inside);
    }
}
