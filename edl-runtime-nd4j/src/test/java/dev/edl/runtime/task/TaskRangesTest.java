package dev.edl.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TaskRangesTest {
    @Test
    void arithmetic_agrees_with_cutting_one_by_one() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int minibatch = 1 + random.nextInt(5);
            int perTask = 1 + random.nextInt(4);
            List<DataShard> shards = new ArrayList<>(List.of(new DataShard("first", 1)));
            for (int s = random.nextInt(5); s > 0; s--) {
                shards.add(new DataShard("s" + s, random.nextInt(40)));
            }
            TaskRanges ranges = TaskRanges.training(LedgerSpec.builder()
                    .training(shards)
                    .minibatchSize(minibatch)
                    .minibatchesPerTask(perTask)
                    .build());

            int range = 0;
            int ordinal = 0;
            for (DataShard shard : shards) {
                for (long start = 0; start < shard.records(); start += (long) minibatch * perTask) {
                    long end = Math.min(shard.records(), start + (long) minibatch * perTask);
                    int minibatches = 0;
                    for (long m = start; m < end; m += minibatch) {
                        minibatches++;
                    }
                    String where = "seed " + seed + ", range " + range;
                    assertThat(ranges.range(range)).as(where).isEqualTo(new RecordRange(shard.name(), start, end));
                    assertThat(ranges.firstMinibatch(range)).as(where).isEqualTo(ordinal);
                    assertThat(ranges.minibatches(range)).as(where).isEqualTo(minibatches);
                    assertThat(ranges.indexOf(shard.name(), start)).as(where).isEqualTo(range);
                    range++;
                    ordinal += minibatches;
                }
            }
            assertThat(ranges.count()).as("seed " + seed).isEqualTo(range);
            assertThat(ranges.minibatches()).as("seed " + seed).isEqualTo(ordinal);
        }
    }

    @Test
    void a_record_inside_a_task_starts_none() {
        TaskRanges ranges = TaskRanges.training(LedgerSpec.builder()
                .training(List.of(new DataShard("a", 100)))
                .minibatchSize(10)
                .minibatchesPerTask(2)
                .build());

        assertThatThrownBy(() -> ranges.indexOf("a", 10))
                .hasMessage("no task starts at record 10 of shard \"a\"; tasks start at multiples of 20 below 100");
        assertThatThrownBy(() -> ranges.indexOf("b", 0))
                .hasMessage("no task starts at record 0 of shard \"b\"; the data has no such shard");
        assertThatThrownBy(() -> ranges.indexOf("a", 100))
                .hasMessage("no task starts at record 100 of shard \"a\"; tasks start at multiples of 20 below 100");
    }
}
