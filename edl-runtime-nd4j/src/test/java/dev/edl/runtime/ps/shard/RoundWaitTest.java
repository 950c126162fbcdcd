package dev.edl.runtime.ps.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.shard.Round.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundWaitTest {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final float[] GRADIENT = new float[2];

    private final RoundMember a = new RoundMember("a");
    private final RoundWait wait = new RoundWait(a);

    /** Two threads end a round each: 1 and 2 end it and let the counts fall, a and b wake its workers. */
    @ParameterizedTest
    @CsvSource({"1a2b", "12ab", "12ba", "21ab", "21ba", "2b1a"})
    void wait_is_over_after_the_last_wake_and_its_worker_computes_by_then(String steps) {
        Round[] rounds = {new Round(), new Round()};
        for (Round round : rounds) {
            round.enter(wait);
        }
        int ended = 0;
        int woken = 0;
        for (int i = 0; i < steps.length(); i++) {
            char step = steps.charAt(i);
            assertThat(a.waiting()).isEqualTo(ended < 2);
            assertThat(wait.over()).isFalse();
            if (step < 'a') {
                rounds[step - '1'].end(State.APPLIED);
                ended++;
            } else {
                assertThat(rounds[step - 'a'].state()).isEqualTo(State.APPLIED);
                rounds[step - 'a'].wake();
                woken++;
            }
            assertThat(wait.over()).isEqualTo(woken == 2);
        }
        assertThat(a.waiting()).isFalse();
        assertThat(wait.applied()).isTrue();
    }

    @Test
    void a_lost_round_ends_the_wait_for_all() {
        Round lost = new Round();
        lost.enter(wait);
        new Round().enter(wait);

        lost.end(State.LOST);
        lost.wake();

        assertThat(wait.over()).isTrue();
        assertThat(wait.applied()).isFalse();
    }

    @Test
    void a_round_that_has_ended_is_not_withdrawn_again() {
        Round first = new Round();
        Round second = new Round();
        first.enter(wait);
        second.enter(wait);
        first.end(State.APPLIED);

        first.withdraw(wait);
        assertThat(a.waiting()).isTrue();
        second.withdraw(wait);
        assertThat(a.waiting()).isFalse();
    }

    @Test
    @Timeout(60)
    void parked_worker_goes_on_when_all_its_rounds_have_ended() throws Exception {
        ParameterShard[] shards = shards();
        AtomicReference<Object> result = new AtomicReference<>();
        Thread thread = parked(result, shards);

        shards[0].push("b", 1, 0, GRADIENT);
        assertThat(result).hasNullValue();
        shards[1].push("b", 1, 0, GRADIENT);
        thread.join();

        assertThat(result).hasValue(true);
        assertThat(a.waiting()).isFalse();
    }

    @Test
    @Timeout(60)
    void parked_worker_goes_on_when_one_of_its_shards_retires() throws Exception {
        ParameterShard[] shards = shards();
        AtomicReference<Object> result = new AtomicReference<>();
        Thread thread = parked(result, shards);

        shards[1].retire();
        thread.join();

        assertThat(result).hasValue(false);
        assertThat(a.waiting()).isFalse();
    }

    @Test
    @Timeout(60)
    void an_interrupt_ends_the_wait_of_a_parked_worker() throws Exception {
        ParameterShard[] shards = shards();
        AtomicReference<Object> result = new AtomicReference<>();
        Thread thread = parked(result, shards);

        thread.interrupt();
        thread.join();

        assertThat(result.get())
                .isInstanceOf(InterruptedException.class)
                .hasToString("java.lang.InterruptedException: a awaits rounds of [ps-0, ps-1] and was interrupted");
        assertThat(a.waiting()).isFalse();
    }

    @Test
    void timed_out_wait_names_the_missing_members_of_the_first_open_round() {
        ParameterShard[] shards = shards();
        shards[0].push("b", 1, 0, GRADIENT);
        try (RoundWait waiting = RoundWait.begin(a, 0, shards)) {
            assertThatThrownBy(() -> waiting.sleep(0, Duration.ofSeconds(2)))
                    .isInstanceOf(ShardTimeoutException.class)
                    .hasMessage("parameter shard ps-1: the round after version 0 did not end within 2s;"
                            + " it holds 1 of 2 gradients and waits for b");
        }
        assertThat(a.waiting()).isFalse();
    }

    /** Returns two shards with the members a and b, to which a has pushed. */
    private ParameterShard[] shards() {
        List<ParameterShard> shards = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ParameterShard shard =
                    new ParameterShard(new ShardRange(i, i, 1), Optimizer.sgd(1f), Consistency.synchronous(), 4);
            shard.initialize(GRADIENT);
            shard.join(a);
            shard.join("b");
            shard.push("a", 0, 0, GRADIENT);
            shards.add(shard);
        }
        return shards.toArray(ParameterShard[]::new);
    }

    /** Returns a thread that waits for the rounds of push 0 and is parked. */
    private Thread parked(AtomicReference<Object> result, ParameterShard[] shards) {
        Thread thread = new Thread(() -> {
            try (RoundWait waiting = RoundWait.begin(a, 0, shards)) {
                waiting.sleep(BOUND.toNanos(), BOUND);
                result.set(waiting.applied());
            } catch (InterruptedException | RuntimeException e) {
                result.set(e);
            }
        });
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(thread.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        return thread;
    }
}
