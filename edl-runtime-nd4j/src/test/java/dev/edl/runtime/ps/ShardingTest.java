package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShardingTest {
    @Test
    void large_vectors_are_cut_at_multiples_of_sixteen() {
        assertThat(Sharding.split(1000, 3))
                .containsExactly(new ShardRange(0, 0, 336), new ShardRange(1, 336, 336), new ShardRange(2, 672, 328));
    }

    @Test
    void small_vectors_are_cut_anywhere() {
        assertThat(Sharding.split(7, 3)).extracting(ShardRange::length).containsExactly(2, 2, 3);
    }

    @Test
    void ranges_are_contiguous_and_differ_by_at_most_a_cache_line() {
        for (int size : new int[] {1, 5, 255, 512, 513, 4097, 101_770, Integer.MAX_VALUE}) {
            for (int shards = 1; shards <= Math.min(size, 33); shards++) {
                List<ShardRange> ranges = Sharding.split(size, shards);
                int end = 0;
                for (ShardRange range : ranges) {
                    assertThat(range.offset()).isEqualTo(end);
                    end = range.end();
                }
                assertThat(end).isEqualTo(size);
                int longest = ranges.stream().mapToInt(ShardRange::length).max().orElseThrow();
                int shortest =
                        ranges.stream().mapToInt(ShardRange::length).min().orElseThrow();
                assertThat(longest - shortest)
                        .as("%d floats in %d", size, shards)
                        .isLessThanOrEqualTo(16);
            }
        }
    }

    @Test
    void more_shards_than_parameters_are_refused() {
        assertThatThrownBy(() -> Sharding.split(4, 5))
                .hasMessage("ps(5) has more shards than the model has parameters; the model has 4");
    }

    @Test
    void no_shards_are_refused() {
        assertThatThrownBy(() -> Sharding.split(4, 0))
                .hasMessage("the number of parameter shards must be at least 1, was 0");
    }
}
