package dev.edl.runtime.zoo.internal.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DropoutTest {
    private static final float KEPT = 4 / 3f;

    @Test
    void the_mask_of_a_seed_is_fixed() {
        // Of splitmix64 computed in Python: the first output for seed 0 is E220A8397B1DCDAF, and the first two for that
        // as
        // seed are A706DD2F4D197E6F and B382A305F4414F5E. In 16 bits, lowest first: 7E6F 4D19 DD2F A706 4F5E F441 A305
        // B382. All are at least 4000, a quarter; at a rate of 3/8 those below 6000 are dropped.
        assertThat(mask(0.25, 0, 8)).containsOnly(KEPT);
        assertThat(mask(0.375, 0, 8)).containsExactly(1.6f, 0, 1.6f, 1.6f, 0, 1.6f, 1.6f, 1.6f);
        assertThat(mask(0.375, 0, 6)).containsExactly(1.6f, 0, 1.6f, 1.6f, 0, 1.6f);
    }

    @Test
    void the_rate_is_what_is_dropped() {
        for (long seed = 0; seed < 5; seed++) {
            int dropped = 0;
            for (float factor : mask(0.25, seed, 100_000)) {
                assertThat(factor).isIn(0f, KEPT);
                dropped += factor == 0 ? 1 : 0;
            }
            // Five standard deviations: 5 sqrt(100000 * 0.25 * 0.75).
            assertThat((double) dropped).as("seed %d", seed).isCloseTo(25_000, within(685.0));
        }
    }

    @Test
    void a_rate_of_0_keeps_everything() {
        assertThat(mask(0, 3, 1000)).containsOnly(1f);
    }

    @Test
    void writes_no_further_than_asked() {
        float[] mask = new float[8];
        new Dropout(0).mask(1, mask, 5);
        assertThat(mask).containsExactly(1, 1, 1, 1, 1, 0, 0, 0);
    }

    private static float[] mask(double rate, long seed, int n) {
        float[] mask = new float[n];
        new Dropout(rate).mask(seed, mask, n);
        return mask;
    }
}
