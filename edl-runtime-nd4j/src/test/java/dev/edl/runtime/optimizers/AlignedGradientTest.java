package dev.edl.runtime.optimizers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlignedGradientTest {
    private static final long SEED = 11;
    private static final String[] RULES = {
        "sgd:learning_rate=0.1",
        "sgd:learning_rate=0.1,momentum=0.9",
        "sgd:learning_rate=0.1,momentum=0.9,nesterov=true",
        "adam:learning_rate=0.001",
        "adam:learning_rate=0.001,amsgrad=true",
        "adagrad:learning_rate=0.1,epsilon=1.0E-7"
    };

    /** Lengths around the blocks of the loops. */
    @ParameterizedTest
    @ValueSource(ints = {1, 17, 2048, 5003, 4096, 20_001})
    void updates_are_bitwise_equal_at_any_gradient_offset(int length) {
        for (String rule : RULES) {
            float[] whole = new float[3 + length];
            float[] alone = new float[length];
            fill(whole, SEED);
            System.arraycopy(whole, 3, alone, 0, length);

            float[] behind = trained(rule, new ShardRange(1, 3, length), whole);
            float[] first = trained(rule, new ShardRange(0, 0, length), alone);

            float[] expected = new float[3 + length];
            System.arraycopy(first, 0, expected, 3, length);
            assertThat(behind).as("%s, %s floats, seed %s", rule, length, SEED).isEqualTo(expected);
        }
    }

    /** Three updates with one gradient each, then one with the mean of two. */
    private static float[] trained(String rule, ShardRange range, float[] gradient) {
        float[] weights = new float[range.end()];
        ParameterShard shard = new ParameterShard(
                range, Optimizer.parse(rule), Consistency.synchronous().withGradsToWait(1), 10);
        shard.initialize(weights);
        for (int i = 0; i < 3; i++) {
            shard.push("worker-0", i, i, gradient);
        }
        ShardSnapshot three = shard.snapshot();
        ParameterShard pairs = new ParameterShard(
                range, Optimizer.parse(rule), Consistency.synchronous().withGradsToWait(2), 10);
        pairs.restore(three);
        pairs.join("worker-0");
        pairs.join("worker-1");
        pairs.push("worker-0", 3, 3, gradient);
        pairs.push("worker-1", 4, 3, gradient);
        pairs.pull(weights);
        return weights;
    }

    private static void fill(float[] values, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (random.nextDouble() * 2 - 1);
        }
    }
}
