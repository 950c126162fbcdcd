package dev.edl.runtime.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferOverflowException;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
    private final float[] table = {1, 2, 3, 4, 5, 6};

    private static float[] copied(Batch batch) {
        FloatBuffer into = FloatBuffer.allocate(batch.size() * batch.featureWidth());
        batch.copyFeatures(into);
        assertThat(into.hasRemaining()).isFalse();
        return into.array();
    }

    @Test
    void lent_features_read_like_the_batchs_own() {
        Batch batch = new Batch(3, 2, 1);
        assertThat(batch.row(table, 4)).isZero();
        int own = batch.row();
        batch.features()[2 * own] = 7;
        batch.features()[2 * own + 1] = 8;
        assertThat(batch.row(table, 0)).isEqualTo(2);

        assertThat(copied(batch)).containsExactly(5, 6, 7, 8, 1, 2);
        assertThat(batch.features()).containsExactly(5, 6, 7, 8, 1, 2);
        assertThat(copied(batch)).containsExactly(5, 6, 7, 8, 1, 2);
    }

    @Test
    void clear_drops_lent_features() {
        Batch batch = new Batch(2, 2, 0);
        batch.row(table, 0);
        batch.row(table, 2);
        batch.clear("again");
        batch.features()[batch.row() * 2] = 9;

        assertThat(copied(batch)).containsExactly(9, 0);
    }

    @Test
    void added_rows_copy_labels_ids_and_lent_features() {
        Batch from = new Batch(2, 2, 1, 1, List.of());
        from.labels()[from.row(table, 2)] = 5;
        from.ids()[0] = 50;
        int own = from.row();
        from.features()[2 * own] = 7;
        from.features()[2 * own + 1] = 8;
        from.labels()[own] = 6;
        from.ids()[own] = 60;
        Batch copy = new Batch(4, 2, 1, 1, List.of());
        copy.addRow(from, 1, 10);
        copy.addRow(from, 0, 11);
        copy.lendRow(from, 1, 12);
        copy.lendRow(from, 0, 13);

        assertThat(copied(copy)).containsExactly(7, 8, 3, 4, 7, 8, 3, 4);
        // Added rows are copies; lent rows follow the owner's array until they are copied.
        from.features()[2 * own] = -7;
        assertThat(copied(copy)).containsExactly(7, 8, 3, 4, -7, 8, 3, 4);
        assertThat(copy.features()).containsExactly(7, 8, 3, 4, -7, 8, 3, 4);
        assertThat(copy.labels()).containsExactly(6, 5, 6, 5);
        assertThat(copy.ids()).containsExactly(60, 50, 60, 50);
    }

    @Test
    void features_out_of_bounds_and_a_small_buffer_are_rejected() {
        Batch batch = new Batch(2, 2, 0);
        assertThatThrownBy(() -> batch.row(table, 5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(batch.size()).isZero();

        batch.row(table, 4);
        assertThatThrownBy(() -> batch.copyFeatures(FloatBuffer.allocate(1)))
                .isInstanceOf(BufferOverflowException.class);
        batch.row(table, 0);
        assertThatThrownBy(() -> batch.row(table, 0)).hasMessage("the batch is full: capacity 2");
    }
}
