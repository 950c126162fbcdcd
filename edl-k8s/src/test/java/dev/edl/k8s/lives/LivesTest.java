package dev.edl.k8s.lives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random lives on an in-memory API server. No healthy pod is deleted, no fault ends a job, and each job reaches its
 * requested state once the faults stop. {@code -Dedl.lives=10000} runs more lives; {@code -Dedl.lives.seed=4711} runs
 * one and prints its events.
 */
class LivesTest {
    private static final int LIVES = Integer.getInteger("edl.lives", 1_500);
    private static final long SEED = Long.getLong("edl.lives.seed", -1);

    @Test
    void every_life_converges() {
        if (SEED >= 0) {
            Life life = Life.of(SEED, true);
            life.trace().forEach(System.out::println);
            assertThat(life.oracle.broken).as("seed " + SEED).isEmpty();
            return;
        }
        Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
        List<String> failed = new ArrayList<>();
        LongStream.range(0, LIVES).parallel().forEach(seed -> {
            Life life = Life.of(seed, false);
            synchronized (struck) {
                life.weather.struck.forEach((fault, times) -> struck.merge(fault, times, Integer::sum));
                if (life.weather.strikes() < 5) {
                    failed.add("-Dedl.lives.seed=" + seed + ": only " + life.weather.strikes() + " faults");
                }
                if (!life.oracle.broken.isEmpty()) {
                    failed.add("-Dedl.lives.seed=" + seed + ": " + life.oracle.broken.get(0));
                }
            }
        });
        System.out.println(LIVES + " lives: " + struck);
        failed.stream().sorted().limit(20).forEach(System.out::println);
        assertThat(failed).isEmpty();
        assertThat(struck).containsOnlyKeys(Fault.values());
    }
}
