package dev.edl.runtime.ps.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.ps.shard.RoundWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostedShardTest {
    private static final int SIZE = 7;
    private static final Term TERM = new Term(1, "master.1");
    private static final ShardLife LIFE = new ShardLife("run", 1, 0);

    private static ParameterShard shard(int index, Optimizer optimizer, Consistency consistency) {
        ShardContents contents = ShardContents.floats(SIZE);
        ParameterShard shard = new ParameterShard(
                contents.split(2).get(index), 2, contents, UpdateRule.of(optimizer, consistency), 100);
        shard.initialize(new float[SIZE]);
        return shard;
    }

    private static HostedShard hosted(int index, Consistency consistency) {
        return new HostedShard(shard(index, Optimizer.sgd(1), consistency), TERM, LIFE);
    }

    private static float[] ofRange(HostedShard shard, float value) {
        float[] gradient = new float[shard.range().length()];
        Arrays.fill(gradient, value);
        return gradient;
    }

    private static PushResult push(HostedShard shard, String worker, long pushId, long version) throws Exception {
        return shard.push(worker, pushId + 1, pushId, LIFE, version, ofRange(shard, 1), List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sgd:learning_rate=0.1",
                "sgd:learning_rate=0.1,momentum=0.9",
                "adam:learning_rate=0.01",
                "adagrad:learning_rate=0.1"
            })
    void range_gradient_makes_the_same_updates_as_a_full_one(String optimizer) throws Exception {
        ParameterShard whole =
                shard(1, Optimizer.parse(optimizer), Consistency.synchronous().withGradsToWait(2));
        HostedShard hosted = new HostedShard(
                shard(1, Optimizer.parse(optimizer), Consistency.synchronous().withGradsToWait(2)), TERM, LIFE);
        whole.join("w0");
        whole.join("w1");
        hosted.members(TERM, 0, List.of("w0", "w1"));
        SplittableRandom random = new SplittableRandom(3);
        for (int push = 0; push < 12; push++) {
            float[] gradient = new float[SIZE];
            for (int i = 0; i < SIZE; i++) {
                gradient[i] = (float) random.nextDouble(-1, 1);
            }
            String worker = "w" + push % 2;
            PushResult result = whole.push(worker, push, push / 2, gradient);
            float[] part = Arrays.copyOfRange(
                    gradient, hosted.range().offset(), hosted.range().end());

            assertThat(hosted.push(worker, push, push, LIFE, push / 2, part, List.of()))
                    .isEqualTo(result);
        }
        float[] full = new float[SIZE];
        assertThat(whole.pull(full)).isEqualTo(6);
        float[] part = new float[hosted.range().length()];
        assertThat(hosted.pull("w0", part, List.of())).isEqualTo(6);
        assertThat(part)
                .containsExactly(Arrays.copyOfRange(
                        full, hosted.range().offset(), hosted.range().end()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void applied_gradient_is_overwritten_with_weights_on_request(int gradsToWait) throws Exception {
        for (int index = 0; index < 2; index++) {
            HostedShard shard = hosted(index, Consistency.synchronous().withGradsToWait(gradsToWait));
            shard.members(TERM, 0, List.of("w0", "w1").subList(0, gradsToWait));
            for (int push = 0; push < 6; push++) {
                float[] gradient = ofRange(shard, push % 3 + 1);
                float[] sent = gradient.clone();

                PushResult result = shard.push(
                        "w" + push % gradsToWait, push, push, LIFE, push / gradsToWait, gradient, List.of(), true);

                boolean last = push % gradsToWait == gradsToWait - 1;
                assertThat(result.outcome()).isEqualTo(last ? Outcome.APPLIED : Outcome.ACCUMULATED);
                float[] weights = sent.clone();
                shard.pull("w0", weights, List.of());
                assertThat(gradient).containsExactly(last ? weights : sent);
            }
        }
    }

    @Test
    void an_action_waits_once_for_the_first_members() {
        Term term = new Term(1, "m.1");
        ParameterShard shard =
                new ParameterShard(new ShardRange(0, 0, 4), Optimizer.sgd(1f), Consistency.synchronous(), 8);
        shard.initialize(new float[4]);
        HostedShard hosted = new HostedShard(shard, term, new ShardLife("run", 1, 0));
        List<String> seen = new ArrayList<>();
        hosted.onMembers(() -> seen.add("first of " + shard.members()));
        assertThat(seen).isEmpty();
        hosted.members(term, 0, List.of("a", "b"));
        hosted.members(term, 1, List.of("a"));
        hosted.onMembers(() -> seen.add("second of " + shard.members()));

        assertThat(seen).containsExactly("first of [a, b]", "second of [a]");
    }

    @Test
    void a_vector_of_another_length_is_refused() {
        HostedShard shard = hosted(1, Consistency.asynchronous());

        assertThatThrownBy(() -> shard.pull("w0", new float[SIZE], List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a vector for ps-1[3..7) must have 4 floats, had 7");
    }

    @Test
    void a_gradient_of_another_life_is_stale() throws Exception {
        HostedShard shard = hosted(0, Consistency.asynchronous());

        assertThat(shard.push("w0", 1, 0, LIFE.next(), 0, ofRange(shard, 1), List.of())
                        .outcome())
                .isEqualTo(Outcome.STALE);
        assertThat(push(shard, "w0", 0, 0).outcome()).isEqualTo(Outcome.APPLIED);
    }

    @Test
    void a_round_waits_for_the_members_that_the_master_names() throws Exception {
        HostedShard shard = hosted(0, Consistency.synchronous());
        shard.members(TERM, 0, List.of("w0", "w1"));
        assertThat(push(shard, "w0", 0, 0).outcome()).isEqualTo(Outcome.ACCUMULATED);
        try (RoundWait awaited = shard.await("w0", 0)) {
            assertThat(awaited.over()).isFalse();

            shard.members(TERM, 0, List.of("w0"));

            assertThat(awaited.over()).isTrue();
            assertThat(awaited.applied()).isTrue();
        }
        assertThat(shard.version(TERM)).isEqualTo(1);
    }

    @Test
    void a_push_in_an_open_round_is_pending_only_for_weights_of_its_life() throws Exception {
        HostedShard shard = hosted(0, Consistency.synchronous());
        shard.members(TERM, 0, List.of("w0", "w1"));
        push(shard, "w0", 0, 0);

        assertThat(push(shard, "w0", 0, 0).outcome()).isEqualTo(Outcome.ACCUMULATED);
        assertThat(shard.push("w0", 2, 0, LIFE.next(), 0, ofRange(shard, 1), List.of())
                        .outcome())
                .isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void worker_waiting_at_another_server_delays_no_round() throws Exception {
        HostedShard shard = hosted(0, Consistency.synchronous());
        shard.members(TERM, 0, List.of("w0", "w1"));
        assertThat(push(shard, "w0", 0, 0).outcome()).isEqualTo(Outcome.ACCUMULATED);
        assertThat(shard.version(TERM)).isZero();

        shard.idle("w1");

        assertThat(shard.version(TERM)).isEqualTo(1);
        shard.pull("w1", ofRange(shard, 0), List.of());
        assertThat(push(shard, "w0", 1, 1).outcome()).isEqualTo(Outcome.ACCUMULATED);
    }

    @Test
    void a_round_of_a_life_that_ends_is_lost() throws Exception {
        HostedShard shard = hosted(0, Consistency.synchronous());
        shard.members(TERM, 0, List.of("w0", "w1"));
        push(shard, "w0", 0, 0);
        try (RoundWait awaited = shard.await("w0", 0)) {
            shard.retire();

            assertThat(awaited.over()).isTrue();
            assertThat(awaited.applied()).isFalse();
        }
        assertThatThrownBy(() -> push(shard, "w0", 1, 0)).isInstanceOf(ShardGoneException.class);
        assertThatThrownBy(() -> shard.pushes(TERM)).isInstanceOf(ShardGoneException.class);
    }

    @Test
    void an_earlier_master_can_order_nothing() {
        HostedShard shard = hosted(0, Consistency.asynchronous());
        Term next = new Term(2, "master.2");
        shard.members(next, 0, List.of());

        assertThat(shard.term()).isEqualTo(2);
        assertThatThrownBy(() -> shard.held(TERM, 0, 1)).isInstanceOf(StaleTermException.class);
        assertThatThrownBy(() -> shard.decide(TERM, new DecisionRecord(1, 1, new byte[1])))
                .isInstanceOf(StaleTermException.class);
        assertThat(shard.decided()).isEmpty();
    }

    @Test
    void a_cut_holds_newer_pushes_back_until_its_copy() throws Exception {
        HostedShard shard = hosted(0, Consistency.asynchronous());
        push(shard, "w0", 0, 0);

        assertThat(shard.beginCut(TERM, 1)).containsEntry("w0", 1L);
        assertThat(shard.flushCut(TERM, 1, shard.taken(TERM), Duration.ofSeconds(1)))
                .isTrue();
        assertThat(shard.saveCut(TERM, 1).await().appliedCount()).isEqualTo(1);
        assertThat(shard.flushCut(TERM, 1, shard.taken(TERM), Duration.ZERO)).isFalse();

        assertThat(push(shard, "w0", 1, 1).outcome()).isEqualTo(Outcome.APPLIED);
    }

    @Test
    void pinned_part_covers_only_the_range() throws Exception {
        HostedShard shard = hosted(1, Consistency.asynchronous());
        push(shard, "w0", 0, 0);
        shard.pinNow(TERM, 1);
        push(shard, "w0", 1, 1);

        assertThat(shard.pinned(TERM, 1).orElseThrow().weights()).containsExactly(-1, -1, -1, -1);
        assertThat(shard.pinned(TERM, 2)).isEmpty();
    }
}
