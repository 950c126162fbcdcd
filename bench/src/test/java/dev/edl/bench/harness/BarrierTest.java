package dev.edl.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BarrierTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void the_last_thread_to_arrive_lets_all_pass() throws Exception {
        Barrier barrier = new Barrier(2, LONG);
        int phase = barrier.arrive();
        assertThat(barrier.passed(phase)).isFalse();
        CompletableFuture<Boolean> waiting =
                CompletableFuture.supplyAsync(() -> barrier.await(phase), other -> new Thread(other).start());
        assertThat(barrier.await(barrier.arrive())).isTrue();
        assertThat(waiting.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void an_ended_barrier_holds_no_thread_and_returns_false() {
        Barrier barrier = new Barrier(2, LONG);
        int phase = barrier.arrive();
        barrier.end();
        assertThat(barrier.await(phase)).isFalse();
    }

    @Test
    void missing_threads_are_an_error_that_names_the_bound() {
        Barrier barrier = new Barrier(2, Duration.ofMillis(1));
        int phase = barrier.arrive();
        assertThatThrownBy(() -> barrier.await(phase))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(Thread.currentThread().getName() + " waited for 2 threads at a barrier for more than 1 ms");
    }
}
