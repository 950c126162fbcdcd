package dev.edl.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PushIdsTest {
    @Test
    void an_id_is_epoch_times_minibatches_plus_ordinal() {
        assertThat(new PushIds(5).pushId(3, 4)).isEqualTo(19);
        assertThat(new PushIds(5).epochOf(19)).isEqualTo(3);
        assertThat(new PushIds(5).ordinalOf(19)).isEqualTo(4);
    }

    @Test
    void ids_go_beyond_an_int() {
        // 2,000,000,000 * 2,147,483,647 + 7
        assertThat(new PushIds(Integer.MAX_VALUE).pushId(2_000_000_000, 7)).isEqualTo(4294967294000000007L);
    }

    @Test
    void an_ordinal_outside_the_epoch_is_refused() {
        assertThatThrownBy(() -> new PushIds(5).pushId(0, 5))
                .hasMessage("a push needs epoch >= 0 and an ordinal from 0 to 4, was epoch 0, ordinal 5");
    }
}
