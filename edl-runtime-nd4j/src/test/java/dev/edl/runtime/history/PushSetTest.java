package dev.edl.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PushSetTest {
    @Test
    void neighbours_are_one_range() {
        PushSet set = PushSet.of(LongStream.of(0, 1, 2, 7));

        assertThat(set).hasToString("0..2, 7");
        assertThat(set.count()).isEqualTo(4);
        assertThat(set.ids()).containsExactly(0L, 1L, 2L, 7L);
        assertThat(PushSet.range(3, 3)).isEqualTo(PushSet.none()).hasToString("none");
    }

    @Test
    void ids_that_do_not_ascend_are_refused() {
        assertThatThrownBy(() -> PushSet.of(LongStream.of(4, 4))).hasMessage("push ids must ascend, was 4 after 4");
    }

    @Test
    void it_agrees_with_bits() {
        for (long seed = 1; seed <= 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            BitSet a = bits(random);
            BitSet b = bits(random);
            PushSet one = PushSet.of(a.stream().asLongStream());
            PushSet other = PushSet.of(b.stream().asLongStream());
            BitSet left = (BitSet) a.clone();
            left.andNot(b);

            assertThat(one.minus(other))
                    .as("seed %d", seed)
                    .isEqualTo(PushSet.of(left.stream().asLongStream()));
            for (int i = 0; i < 70; i++) {
                assertThat(one.contains(i)).as("seed %d, %d", seed, i).isEqualTo(a.get(i));
            }
        }
    }

    private static BitSet bits(SplittableRandom random) {
        BitSet bits = new BitSet();
        int share = random.nextInt(1, 10);
        for (int i = 0; i < 64; i++) {
            bits.set(i, random.nextInt(10) < share);
        }
        return bits;
    }
}
