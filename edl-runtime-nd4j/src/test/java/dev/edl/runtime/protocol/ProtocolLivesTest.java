package dev.edl.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Every push is applied once, no worker waits for ever, cuts are exact or marked, and no lower term has an effect, in many random lives on a
 * network with faults. {@code -Dedl.protocol.lives=100000} tries more of them, {@code -Dedl.protocol.seed=4711} one, whose messages it
 * prints.
 */
class ProtocolLivesTest {
    private static final String REPLAY = "mvn -o -pl edl-runtime-nd4j -am test -Dtest=ProtocolLivesTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dedl.protocol.seed=";
    private static final int LIVES = Integer.getInteger("edl.protocol.lives", 1_500);
    private static final long SEED = Long.getLong("edl.protocol.seed", -1);

    @Test
    void every_life_comes_right() throws InterruptedException {
        if (SEED >= 0) {
            Life life = Life.of(SEED, true);
            life.trace().forEach(System.out::println);
            assertThat(life.oracle.broken).as(REPLAY + SEED).isEmpty();
            return;
        }
        Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
        List<String> failed = new ArrayList<>();
        AtomicLong seeds = new AtomicLong();
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        for (int i = 0; i < threads; i++) {
            executor.execute(() -> {
                for (long seed = seeds.getAndIncrement(); seed < LIVES; seed = seeds.getAndIncrement()) {
                    lived(seed, struck, failed);
                }
            });
        }
        executor.shutdown();
        assertThat(executor.awaitTermination(30, TimeUnit.MINUTES))
                .as("all lives end")
                .isTrue();
        int faults = struck.values().stream().mapToInt(i -> i).sum();
        System.out.println(LIVES + " lives, " + faults + " faults: " + struck);
        failed.stream().sorted().limit(20).forEach(System.out::println);
        assertThat(failed).isEmpty();
        assertThat(struck).containsOnlyKeys(Fault.values());
        assertThat(faults).isGreaterThanOrEqualTo(5 * LIVES);
    }

    private static void lived(long seed, Map<Fault, Integer> struck, List<String> failed) {
        List<String> broken;
        Map<Fault, Integer> faults = Map.of();
        try {
            Life life = Life.of(seed, false);
            broken = life.oracle.broken;
            faults = life.weather.struck;
        } catch (RuntimeException | AssertionError e) {
            broken =
                    List.of(e + " at " + List.of(e.getStackTrace()).subList(0, Math.min(12, e.getStackTrace().length)));
        }
        synchronized (struck) {
            faults.forEach((fault, times) -> struck.merge(fault, times, Integer::sum));
            if (!broken.isEmpty()) {
                failed.add(REPLAY + seed + ": " + broken.get(0));
            }
        }
    }
}
