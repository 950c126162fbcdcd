package dev.edl.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.proof.RecordCoverage;
import dev.edl.runtime.proof.TaskType;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntervalCounterTest {
    @Test
    void agrees_with_counting_each_number() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int size = 1 + random.nextInt(30);
            int[] naive = new int[size];
            IntervalCounter counts = new IntervalCounter();
            for (int step = 0; step < 40; step++) {
                int start = random.nextInt(size);
                int end = start + 1 + random.nextInt(size - start);
                int delta = random.nextInt(3) == 0 ? -1 : 1;
                counts.add(start, end, delta);
                long once = 0;
                long repeated = 0;
                for (int i = 0; i < size; i++) {
                    naive[i] += i >= start && i < end ? delta : 0;
                    once += naive[i] == 1 ? 1 : 0;
                    repeated += naive[i] > 1 ? 1 : 0;
                }
                assertThat(counts.over(TaskType.TRAINING, 0, size))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(new RecordCoverage(TaskType.TRAINING, 0, once, size - once - repeated, repeated));
            }
        }
    }
}
