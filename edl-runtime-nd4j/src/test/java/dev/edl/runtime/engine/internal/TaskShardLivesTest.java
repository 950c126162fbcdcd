package dev.edl.runtime.engine.internal;

import static dev.edl.runtime.ps.PushResult.Outcome.ACCUMULATED;
import static dev.edl.runtime.ps.PushResult.Outcome.APPLIED;
import static dev.edl.runtime.ps.PushResult.Outcome.DUPLICATE;
import static dev.edl.runtime.ps.PushResult.Outcome.STALE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.WeightVersions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskShardLivesTest {
    private static final ShardLife LIFE = new ShardLife("run", 1, 0);
    private static final long BOTH = ShardLife.fingerprint(List.of(LIFE, LIFE));

    private final TaskShardLives lives = new TaskShardLives(2);

    private void pushed(long id, ShardLife first, ShardLife second, PushResult.Outcome... outcomes) {
        WeightVersions base = new WeightVersions(2);
        base.set(0, first, 7);
        base.set(1, second, 8);
        lives.pushed(
                id,
                base,
                Arrays.stream(outcomes)
                        .map(outcome -> new PushResult(outcome, 9))
                        .toList());
    }

    @Test
    void lives_are_known_once_they_took_all_pushes() {
        assertThat(lives.fingerprint()).isEqualTo(ShardLife.UNKNOWN_LIVES);
        lives.begin(true);
        assertThat(lives.fingerprint()).isEqualTo(ShardLife.UNKNOWN_LIVES);
        pushed(0, LIFE, LIFE, APPLIED, ACCUMULATED);
        pushed(1, LIFE, LIFE, ACCUMULATED, APPLIED);

        assertThat(lives.fingerprint()).isEqualTo(BOTH);
        lives.begin(true);
        assertThat(lives.fingerprint()).isEqualTo(ShardLife.UNKNOWN_LIVES);
    }

    @Test
    void a_push_repeated_because_one_shard_found_it_stale_is_held_by_the_others() {
        lives.begin(true);
        pushed(0, LIFE, LIFE, APPLIED, STALE);
        pushed(0, LIFE, LIFE, DUPLICATE, APPLIED);

        assertThat(lives.fingerprint()).isEqualTo(BOTH);
    }

    @Test
    void a_duplicate_that_this_worker_did_not_push_may_be_of_another_life() {
        lives.begin(true);
        pushed(0, LIFE, LIFE, APPLIED, APPLIED);
        pushed(1, LIFE, LIFE, APPLIED, DUPLICATE);

        assertThat(lives.fingerprint()).isEqualTo(ShardLife.UNKNOWN_LIVES);
    }

    @Test
    void pushes_in_two_lives_of_a_shard_are_held_by_neither() {
        lives.begin(true);
        pushed(0, LIFE, LIFE, APPLIED, APPLIED);
        pushed(1, LIFE, LIFE.next(), APPLIED, APPLIED);
        pushed(2, LIFE, LIFE.next(), APPLIED, APPLIED);

        assertThat(lives.fingerprint()).isEqualTo(ShardLife.UNKNOWN_LIVES);
    }

    @Test
    void earlier_pushes_of_a_resumed_task_are_of_unknown_lives() {
        lives.begin(false);
        pushed(2, LIFE, LIFE, APPLIED, APPLIED);

        assertThat(lives.fingerprint()).isEqualTo(ShardLife.UNKNOWN_LIVES);
    }

    @Test
    void lives_of_another_order_number_term_or_process_have_another_fingerprint() {
        ShardLife next = LIFE.next();
        assertThat(List.of(
                        BOTH,
                        ShardLife.UNKNOWN_LIVES,
                        ShardLife.fingerprint(List.of(LIFE)),
                        ShardLife.fingerprint(List.of(LIFE, next)),
                        ShardLife.fingerprint(List.of(next, LIFE)),
                        ShardLife.fingerprint(List.of(LIFE, new ShardLife("run", 2, 0))),
                        ShardLife.fingerprint(List.of(LIFE, new ShardLife("run/1", 1, 0)))))
                .doesNotHaveDuplicates();
    }
}
