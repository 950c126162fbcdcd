package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.host.HostedShard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool of four vectors whose waits end at once, so that all time is the test's. */
@Timeout(30)
class StagingPoolTest {
    private static final int VECTORS = 4;

    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());
    private final HostedShard shard = loopback.shards.get(0);
    private final AtomicLong now = new AtomicLong();
    private final List<String> cut = new ArrayList<>();
    private final List<StagingPool.Hold> held = new ArrayList<>();
    /** Runs during each wait. */
    private Runnable meanwhile = () -> {};

    private final StagingPool pool = new StagingPool(4, VECTORS, now::get, (condition, nanos) -> {
        now.addAndGet(nanos);
        meanwhile.run();
        return 0;
    });

    @AfterEach
    void close() {
        loopback.close();
    }

    /** Holds a vector whose transfer never ends, until it is cut. */
    private StagingPool.Hold stuck(String worker) throws InterruptedException {
        StagingPool.Hold[] hold = new StagingPool.Hold[1];
        hold[0] = pool.take(worker, why -> {
            cut.add(why);
            hold[0].close();
        });
        hold[0].move();
        held.add(hold[0]);
        return hold[0];
    }

    private void quick(String worker, long nanos) throws InterruptedException {
        try (StagingPool.Hold hold = pool.take(worker, cut::add)) {
            hold.move();
            now.addAndGet(nanos);
            hold.rest();
        }
    }

    private long millis() {
        return TimeUnit.NANOSECONDS.toMillis(now.get());
    }

    @Test
    void pulls_of_one_version_share_one_copy() throws InterruptedException {
        List<StagingPool.Hold> pulls = new ArrayList<>();
        for (int i = 0; i < 2 * VECTORS; i++) {
            pulls.add(pool.pull(shard, "w-" + i, cut::add));
        }

        assertThat(pulls)
                .allSatisfy(
                        pull -> assertThat(pull.floats()).isSameAs(pulls.get(0).floats()));
        assertThat(pool).hasToString("3 of 4 vectors of 4 floats are free");
        pulls.subList(1, pulls.size()).forEach(StagingPool.Hold::close);
        assertThat(pool).hasToString("3 of 4 vectors of 4 floats are free");
        pulls.get(0).close();
        assertThat(pool).hasToString("4 of 4 vectors of 4 floats are free");
    }

    @Test
    void pull_of_a_newer_version_has_its_own_copy() throws InterruptedException {
        StagingPool.Hold first = pool.pull(shard, "w-0", cut::add);
        shard.push("w-1", 1, 0, shard.life(), 0, new float[] {1, 1, 1, 1}, List.of());

        StagingPool.Hold second = pool.pull(shard, "w-1", cut::add);

        assertThat(first.version()).isZero();
        assertThat(first.floats()).containsExactly(0, 0, 0, 0);
        assertThat(second.version()).isEqualTo(1);
        assertThat(second.floats()).containsExactly(-1, -1, -1, -1);
    }

    @Test
    void slowest_connection_is_cut_when_another_waits_for_its_vector() throws InterruptedException {
        for (int i = 0; i < VECTORS; i++) {
            stuck("slow-" + i);
            now.addAndGet(1_000_000);
        }

        quick("w", 0);

        // 200 ms of grace and less than a millisecond for twice the usual time of 16 bytes, in steps of 50 ms.
        assertThat(cut)
                .containsExactly(
                        "other workers wait for one of 4 vectors, and slow-0 has used one for 254ms; usual are "
                                + "1ms. It may try again, among the slow workers");
        assertThat(millis()).isEqualTo(254);
    }

    @Test
    void nobody_is_cut_while_a_vector_is_free() throws InterruptedException {
        for (int i = 1; i < VECTORS; i++) {
            stuck("slow-" + i);
        }
        now.addAndGet(TimeUnit.HOURS.toNanos(1));

        for (int i = 0; i < 100; i++) {
            quick("w-" + i, 1000);
        }

        assertThat(cut).isEmpty();
    }

    @Test
    void all_slow_readers_of_one_vector_are_cut_together() throws InterruptedException {
        for (int i = 1; i < VECTORS; i++) {
            stuck("other-" + i).rest();
        }
        List<StagingPool.Hold> readers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int reader = i;
            readers.add(pool.pull(shard, "slow-" + i, why -> {
                cut.add(why);
                readers.get(reader).close();
            }));
            readers.get(i).move();
        }

        quick("w", 0);

        assertThat(cut).hasSize(8);
    }

    @Test
    void connection_that_waits_for_its_shard_is_not_cut() throws InterruptedException {
        for (int i = 0; i < VECTORS; i++) {
            stuck("taking-a-cut-" + i).rest();
        }
        AtomicLong waits = new AtomicLong();
        meanwhile = () -> {
            if (waits.incrementAndGet() == 1000) {
                held.get(2).close();
            }
        };

        quick("w", 0);

        assertThat(cut).isEmpty();
        assertThat(waits).hasValue(1000);
    }

    @Test
    void transfer_of_twice_the_usual_time_is_not_cut() throws InterruptedException {
        // The usual time follows the median.
        for (int i = 0; i < 200; i++) {
            quick("w", TimeUnit.SECONDS.toNanos(2));
        }
        for (int i = 0; i < VECTORS; i++) {
            stuck("slow-" + i);
        }
        long before = millis();

        quick("w", 0);

        assertThat(millis() - before).isBetween(3_600L, 4_800L);
    }

    @Test
    void slow_worker_delays_others_once() throws InterruptedException {
        for (int slow = 0; slow < VECTORS; slow++) {
            stuck("slow-" + slow);
        }
        for (int i = 0; i < VECTORS; i++) {
            stuck("first-" + i);
        }
        assertThat(cut).hasSize(VECTORS).allMatch(why -> why.contains(" slow-"));
        long before = now.get();

        // The second pool has two vectors.
        StagingPool.Hold again = stuck("slow-0");
        stuck("slow-1");
        held.get(VECTORS).close();
        quick("w", 0);

        assertThat(now.get()).isEqualTo(before);
        assertThat(cut).hasSize(VECTORS);
        assertThat(again.floats()).hasSize(4);
    }

    @Test
    void worker_that_is_quick_again_leaves_the_slow_ones() throws InterruptedException {
        for (int i = 0; i < VECTORS; i++) {
            stuck("w-" + i);
        }
        quick("other", 0);
        assertThat(cut).hasSize(1);
        String before = pool.toString();

        try (StagingPool.Hold slow = pool.take("w-0", this.cut::add)) {
            assertThat(pool).hasToString(before);
            slow.move();
            slow.rest();
        }

        try (StagingPool.Hold quick = pool.take("w-0", this.cut::add)) {
            assertThat(quick.floats()).hasSize(4);
            assertThat(pool).hasToString("0 of 4 vectors of 4 floats are free");
        }
    }
}
