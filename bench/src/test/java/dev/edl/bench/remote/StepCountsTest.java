package dev.edl.bench.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepCountsTest {
    @TempDir
    private Path folder;

    @Test
    void steps_of_workers_are_seen_by_all_that_map_the_file() throws IOException {
        Path file = folder.resolve("counts");
        StepCounts seen = StepCounts.of(file);
        Runnable first = StepCounts.of(file).worker();
        Runnable second = StepCounts.of(file).worker();
        first.run();
        first.run();
        second.run();

        assertThat(seen.steps()).isEqualTo(3);
        assertThat(seen.workers(1)).isEqualTo(2);
        assertThat(seen.workers(2)).isEqualTo(1);
        assertThat(seen.millis(1))
                .isPositive()
                .isLessThan(ManagementFactory.getRuntimeMXBean().getUptime() + 1000.0);
        assertThat(seen.millis(2)).isZero();
        assertThat(seen).hasToString("3 steps of 2 workers");
    }
}
