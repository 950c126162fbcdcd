package dev.edl.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DropoutMaskTest {
    /** Known answers of splitmix64 for the seed 1234567, as Rosetta Code's task "Pseudo-random numbers/Splitmix64" has. */
    @Test
    void its_generator_is_splitmix64() {
        long[] known = {6457827717110365317L, 3203168211198807973L, Long.parseUnsignedLong("9817491932198370423")};
        for (int n = 1; n <= known.length; n++) {
            assertThat(DropoutMask.output(1234567, n)).as("output %d", n).isEqualTo(known[n - 1]);
        }
    }

    @Test
    void a_quarter_is_dropped_and_the_rest_made_larger() {
        float[] mask = DropoutMask.of(5, 4);
        int dropped = 0;
        for (float factor : mask) {
            assertThat(factor == 0 || factor == 4f / 3).isTrue();
            dropped += factor == 0 ? 1 : 0;
        }
        // 36,864 values; five standard deviations are 416.
        assertThat(dropped).isBetween(9216 - 416, 9216 + 416);
    }
}
