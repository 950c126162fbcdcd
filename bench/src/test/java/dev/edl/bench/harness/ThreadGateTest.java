package dev.edl.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadGateTest {
    @Test
    void an_open_gate_holds_no_thread() {
        ThreadGate gate = new ThreadGate(Duration.ZERO);
        gate.pass();
        assertThat(gate).hasToString("an open gate, 0 s");
    }

    @Test
    void a_thread_is_held_until_the_gate_opens() throws Exception {
        ThreadGate gate = new ThreadGate(Duration.ofSeconds(60));
        gate.close();
        CompletableFuture<Void> passed = CompletableFuture.runAsync(gate::pass, held -> new Thread(held).start());
        assertThat(passed).isNotDone();
        gate.open();
        passed.get(60, TimeUnit.SECONDS);
    }

    @Test
    void a_gate_that_stays_closed_is_an_error_that_names_the_bound() {
        ThreadGate gate = new ThreadGate(Duration.ofMillis(1));
        gate.close();
        assertThatThrownBy(gate::pass)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(Thread.currentThread().getName() + " waited for its turn for more than 1 ms");
    }

    @Test
    void an_interrupted_thread_is_not_held() {
        ThreadGate gate = new ThreadGate(Duration.ofSeconds(60));
        gate.close();
        Thread.currentThread().interrupt();
        gate.pass();
        assertThat(Thread.interrupted()).isTrue();
    }
}
