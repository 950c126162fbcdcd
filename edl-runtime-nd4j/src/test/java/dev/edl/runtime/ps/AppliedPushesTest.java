package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AppliedPushesTest {
    @Test
    void missing_ids_are_counted_over_open_and_complete_epochs() {
        AppliedPushes more = new AppliedPushes(3);
        AppliedPushes less = new AppliedPushes(3);
        for (long id : new long[] {0, 1, 2, 4, 7}) {
            more.add(id);
        }
        for (long id : new long[] {0, 4, 5}) {
            less.add(id);
        }

        // 1, 2 and 7; then 5.
        assertThat(more.missingIn(less)).isEqualTo(3);
        assertThat(less.missingIn(more)).isEqualTo(1);
        assertThat(more.missingIn(more)).isZero();
    }

    @Test
    void agrees_with_a_plain_set_of_ids() {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            AppliedPushes pushes = new AppliedPushes(7);
            Set<Long> plain = new HashSet<>();
            for (int i = 0; i < 60; i++) {
                long id = random.nextInt(42);
                assertThat(pushes.contains(id)).as("seed %d, id %d", seed, id).isEqualTo(plain.contains(id));
                if (plain.add(id)) {
                    pushes.add(id);
                }
                assertThat(pushes.count()).as("seed %d", seed).isEqualTo(plain.size());
            }
        }
    }

    @Test
    void a_copy_in_the_middle_of_an_epoch_counts_on() {
        AppliedPushes pushes = new AppliedPushes(3);
        for (long id : new long[] {0, 1, 4}) {
            pushes.add(id);
        }
        AppliedPushes copy = pushes.copy();
        copy.add(2);
        pushes.add(3);

        assertThat(copy).hasToString("1 complete epochs, 1 of 3 in epoch 1");
        assertThat(pushes).hasToString("0 complete epochs, 2 of 3 in epoch 0, 2 of 3 in epoch 1");
    }

    @Test
    void a_complete_epoch_is_one_bit_and_still_lists_its_minibatches() {
        AppliedPushes pushes = new AppliedPushes(3);
        pushes.add(5);
        pushes.add(3);
        pushes.add(4);
        pushes.add(7);

        assertThat(pushes).hasToString("1 complete epochs, 1 of 3 in epoch 2");
        assertThat(pushes.open()).containsOnlyKeys(2);
        assertThat(pushes.epoch(1)).isEqualTo(BitSet.valueOf(new long[] {0b111}));
        assertThat(pushes.epoch(2)).isEqualTo(BitSet.valueOf(new long[] {0b010}));
        assertThat(pushes.epoch(0)).isEqualTo(new BitSet());
    }

    @Test
    void gradients_of_one_push_count_apart_from_its_id() {
        AppliedPushes pushes = new AppliedPushes(3);
        pushes.addRound(List.of(0L, 1L), 3);
        pushes.addRound(List.of(1L), 1);

        assertThat(pushes.count()).isEqualTo(2);
        assertThat(pushes.gradients()).isEqualTo(4);
        assertThat(pushes.copy().gradients()).isEqualTo(4);
    }

    @Test
    void a_negative_id_is_refused() {
        assertThatThrownBy(() -> new AppliedPushes(3).contains(-1))
                .hasMessage("push id -1 must be epoch * 3 + the minibatch's number within the epoch, both from 0");
    }
}
