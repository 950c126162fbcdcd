package dev.edl.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.history.PushSet;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PushBitSetTest {
    @Test
    void a_set_stays_the_same_in_bits() {
        for (long seed = 1; seed <= 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int share = random.nextInt(1, 10);
            PushSet set = PushSet.of(LongStream.range(0, 64).filter(id -> random.nextInt(10) < share));

            assertThat(PushBitSet.of(set).toSet()).as("seed %d", seed).isEqualTo(set);
        }
    }
}
