package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.model.EmbeddingTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbeddingRowsOfTest {
    private static final EmbeddingTable TABLE = new EmbeddingTable("fm/vectors", 2, 0, 3, Initializer.ones());

    @Test
    void rows_of_ids_stand_in_their_order_with_zeros() {
        EmbeddingRows rows = EmbeddingRows.of(TABLE, 7, 3, 1L << 40);

        assertThat(rows.count()).isEqualTo(3);
        assertThat(rows.ids()).containsExactly(7, 3, 1L << 40);
        assertThat(rows.values()).containsExactly(0, 0, 0, 0, 0, 0);
        assertThat(rows.gradients()).containsExactly(0, 0, 0, 0, 0, 0);
        assertThat(EmbeddingRows.of(TABLE).count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "1, -2"})
    void duplicate_and_negative_ids_are_rejected(long first, long second) {
        assertThatThrownBy(() -> EmbeddingRows.of(TABLE, first, second))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the ids of rows of fm/vectors[*, 2] of ids 0..2 must be at least 0 and each once, had "
                        + second);
    }
}
