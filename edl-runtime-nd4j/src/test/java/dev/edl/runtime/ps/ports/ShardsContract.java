package dev.edl.runtime.ps.ports;

import static dev.edl.runtime.ps.PushResult.Outcome.ACCUMULATED;
import static dev.edl.runtime.ps.PushResult.Outcome.APPLIED;
import static dev.edl.runtime.ps.PushResult.Outcome.DUPLICATE;
import static dev.edl.runtime.ps.PushResult.Outcome.STALE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.NonFiniteGradientException;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Contract of workers' and masters' access to parameter shards, independent of their location. A subclass supplies two
 * shards of two floats each, zeros at the start, plain SGD with rate 1 and eight minibatches an epoch.
 */
public abstract class ShardsContract {
    private static final float[] ONES = {1, 1, 1, 1};

    /** Shards, and the operations on their hosts. */
    protected interface Shards extends AutoCloseable {
        ShardsPort worker(String name);

        ShardsControl lead(Term term);

        /** Detaches a shard. */
        void lose(int shard);

        /** Attaches a shard again, with zeros. */
        void bringBack(int shard);

        @Override
        void close();
    }

    private Shards shards = new None();

    /** Starts the shards; a wait for an absent one is at most a millisecond. */
    protected abstract Shards start(Consistency consistency);

    private void begin(Consistency consistency) {
        shards = start(consistency);
    }

    @AfterEach
    void stop() {
        shards.close();
    }

    private static WeightVersions pulled(ShardsPort worker) throws InterruptedException {
        WeightVersions base = new WeightVersions(worker.count());
        worker.pull(new float[4], List.of(), base);
        return base;
    }

    /** Pulls and pushes like a worker: a port may have prefetched values when a shard was lost. */
    private static PushResult push(ShardsPort worker, long id) throws InterruptedException {
        PushResult first = worker.push(id, pulled(worker), ONES, List.of());
        return first.outcome() == STALE ? worker.push(id, pulled(worker), ONES, List.of()) : first;
    }

    private static float[] weights(ShardsPort worker) throws InterruptedException {
        float[] weights = new float[4];
        worker.pull(weights, List.of(), new WeightVersions(worker.count()));
        return weights;
    }

    @Test
    void push_is_applied_exactly_once_by_every_shard() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsPort worker = shards.worker("a");

        assertThat(push(worker, 0)).isEqualTo(new PushResult(APPLIED, 1));
        assertThat(push(worker, 0).outcome()).isEqualTo(DUPLICATE);
        assertThat(weights(worker)).containsExactly(-1, -1, -1, -1);
        assertThat(worker.resumeAt(0, 8)).isEqualTo(1);
        assertThat(worker.count()).isEqualTo(2);
    }

    @Test
    void a_gradient_that_is_not_finite_reaches_no_shard() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsPort worker = shards.worker("a");
        WeightVersions base = pulled(worker);

        assertThatThrownBy(() -> worker.push(0, base, new float[] {1, 1, 1, Float.NaN}, List.of()))
                .isInstanceOf(NonFiniteGradientException.class);
        assertThat(weights(worker)).containsOnly(0);
    }

    @Test
    void a_round_waits_for_every_member_and_for_no_worker_that_left() throws InterruptedException {
        begin(Consistency.synchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        assertThat(master.join("a")).isTrue();
        assertThat(master.join("a")).isFalse();
        master.join("b");
        ShardsPort a = shards.worker("a");

        assertThat(push(a, 0).outcome()).isEqualTo(ACCUMULATED);
        assertThatThrownBy(() -> a.awaitRound(0, Duration.ZERO))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessageEndingWith("waits for b");
        assertThat(master.leave("b")).isTrue();
        assertThat(a.awaitRound(0, Duration.ZERO)).isTrue();
        assertThat(weights(a)).containsExactly(-1, -1, -1, -1);
    }

    @Test
    void timed_out_call_names_the_absent_shard() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsPort worker = shards.worker("a");
        shards.lose(1);

        assertThatThrownBy(() -> weights(worker))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage("parameter shard ps-1 did not come back within 1ms");
    }

    @Test
    void gradient_of_lost_weights_is_stale_at_any_version() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsPort a = shards.worker("a");
        push(a, 0);
        WeightVersions lost = pulled(a);
        shards.lose(1);
        shards.bringBack(1);
        push(shards.worker("b"), 0);

        assertThat(pulled(a).version(1)).isEqualTo(lost.version(1));
        assertThat(a.push(1, lost, ONES, List.of()).outcome()).isEqualTo(STALE);
        assertThat(push(a, 1).outcome()).isEqualTo(APPLIED);
    }

    @Test
    void lost_pushes_are_visible_to_worker_and_master() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        ShardsPort worker = shards.worker("a");
        push(worker, 0);
        push(worker, 1);
        shards.lose(0);
        assertThat(master.pushes(0)).isEmpty();
        shards.bringBack(0);

        assertThat(master.pushes(0).map(pushes -> pushes.applied(0))).hasValue(new BitSet());
        assertThat(master.pushes(1).map(pushes -> pushes.applied(0))).hasValue(BitSet.valueOf(new long[] {0b11}));
        assertThat(master.holds(0, 1, ShardLife.UNKNOWN_LIVES)).isFalse();
        assertThat(worker.resumeAt(0, 8)).isZero();
    }

    @Test
    void a_cut_has_every_push_of_every_shard() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        push(shards.worker("a"), 0);
        push(shards.worker("b"), 5);

        assertThat(master.cut()).hasToString("version 2 of 2 shards, consistent");
        assertThat(master.cut().weights()).containsExactly(-2, -2, -2, -2);
        assertThat(push(shards.worker("a"), 1).outcome()).isEqualTo(APPLIED);
    }

    @Test
    void a_master_that_was_replaced_can_do_nothing() throws InterruptedException {
        begin(Consistency.synchronous());
        ShardsControl old = shards.lead(new Term(1, "m.1"));
        old.join("a");
        push(shards.worker("a"), 0);
        ShardsControl master = shards.lead(new Term(2, "m.2"));

        String refused = "parameter shard ps-0 follows term 2 of m.2 and refuses a request of term 1 of m.1";
        assertThatThrownBy(() -> old.holds(0, 1, ShardLife.UNKNOWN_LIVES))
                .isInstanceOf(StaleTermException.class)
                .hasMessage(refused);
        assertThatThrownBy(() -> old.join("b")).hasMessage(refused);
        assertThatThrownBy(() -> old.leave("b")).hasMessage(refused);
        assertThatThrownBy(old::cut).hasMessage(refused);
        assertThatThrownBy(old::flush).hasMessage(refused);
        assertThatThrownBy(() -> old.pushes(0)).hasMessage(refused);
        assertThatThrownBy(() -> old.pinned(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.unpin(1)).hasMessage(refused);
        assertThatThrownBy(old::decided).hasMessage(refused);
        assertThatThrownBy(() -> old.decide(record(1, 1))).hasMessage(refused);
        assertThatThrownBy(old::lives).hasMessage(refused);
        assertThatThrownBy(() -> old.pinEvery(1, 1, version -> {})).hasMessage(refused);
        assertThatThrownBy(old::pins).hasMessage(refused);
        assertThatThrownBy(() -> old.pinNow(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.hold(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.release(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.keep(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.keepOnly(1)).hasMessage(refused);
        assertThatThrownBy(() -> shards.lead(new Term(2, "m.3")))
                .hasMessage("parameter shard ps-0 follows term 2 of m.2 and refuses a request of term 2 of m.3");
        assertThat(master.holds(0, 1, ShardLife.UNKNOWN_LIVES)).isTrue();
        assertThat(master.holds(0, 2, ShardLife.UNKNOWN_LIVES)).isFalse();
    }

    @Test
    void a_new_master_begins_without_members() throws InterruptedException {
        begin(Consistency.synchronous());
        ShardsControl old = shards.lead(new Term(1, "m.1"));
        old.join("a");
        old.join("b");
        push(shards.worker("a"), 0);
        ShardsControl master = shards.lead(new Term(2, "m.2"));

        // The round waited for b.
        assertThat(shards.worker("a").awaitRound(0, Duration.ZERO)).isTrue();
        assertThat(master.join("b")).isTrue();
    }

    private static DecisionRecord record(long term, long number) {
        return new DecisionRecord(term, number, new byte[] {(byte) term, (byte) number});
    }

    @Test
    void decision_survives_while_one_shard_does() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        assertThat(master.decided()).isEmpty();
        master.decide(record(1, 0));
        master.decide(record(1, 1));
        shards.lose(0);
        shards.bringBack(0);

        ShardsControl next = shards.lead(new Term(2, "m.2"));
        assertThat(next.decided().orElseThrow()).hasToString("decision 1 of term 1, 2 bytes");
        next.decide(record(2, 0));
        assertThat(next.decided().orElseThrow().content()).containsExactly(2, 0);
        shards.lose(1);
        assertThat(next.decided()).map(DecisionRecord::term).hasValue(2L);
        shards.lose(0);
        shards.bringBack(0);
        // The absent shard may have a decision.
        assertThatThrownBy(next::decided)
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage("parameter shard ps-1 did not come back within 1ms");
        shards.bringBack(1);
        assertThat(next.decided()).isEmpty();
    }

    @Test
    void incomplete_decision_must_be_sent_again() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        shards.lose(1);

        assertThatThrownBy(() -> master.decide(record(1, 0)))
                .hasMessage("parameter shard ps-1 did not come back within 1ms");
        shards.bringBack(1);
        master.decide(record(1, 0));
        assertThat(master.decided()).isPresent();
    }

    @Test
    void lives_differ_once_a_shard_has_begun_anew() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        long before = master.lives();
        push(shards.worker("a"), 0);
        assertThat(master.lives()).isEqualTo(before);
        shards.lose(0);
        shards.bringBack(0);

        assertThat(master.lives()).isNotEqualTo(before);
    }

    @Test
    void lives_of_pulled_weights_are_those_that_the_master_compares() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        ShardsPort worker = shards.worker("a");
        WeightVersions first = pulled(worker);
        assertThat(ShardLife.fingerprint(List.of(first.life(0), first.life(1)))).isEqualTo(master.lives());
        shards.lose(1);
        shards.bringBack(1);
        push(worker, 0);
        WeightVersions next = pulled(worker);

        assertThat(ShardLife.fingerprint(List.of(next.life(0), next.life(1))))
                .isEqualTo(master.lives())
                .isNotEqualTo(ShardLife.fingerprint(List.of(first.life(0), first.life(1))));
    }

    @Test
    void pins_survive_their_master_and_the_next_is_notified_of_new_ones() throws InterruptedException {
        begin(Consistency.asynchronous());
        List<Long> first = new ArrayList<>();
        List<Long> second = new ArrayList<>();
        shards.lead(new Term(1, "m")).pinEvery(1, 2, first::add);
        ShardsPort worker = shards.worker("a");
        push(worker, 0);
        ShardsControl master = shards.lead(new Term(2, "m.2"));
        push(worker, 1);
        master.pinEvery(1, 2, second::add);

        assertThat(master.pins()).containsExactly(1L, 2L);
        assertThat(master.hold(1)).isTrue();
        assertThat(master.hold(7)).isFalse();
        push(worker, 2);
        push(worker, 3);
        assertThat(master.pins()).containsExactly(1L, 4L);
        assertThat(first).containsExactly(1L, 2L);
        assertThat(second).containsExactly(3L, 4L);
        assertThat(master.pinned(1).orElseThrow().weights()).containsExactly(-1, -1, -1, -1);
        master.release(1);
        assertThat(master.pins()).containsExactly(4L);
    }

    @Test
    void best_version_is_kept_until_a_better_one_is_kept() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        master.pinEvery(1, 1, version -> {});
        ShardsPort worker = shards.worker("a");
        push(worker, 0);
        assertThat(master.keep(1)).isFalse();
        master.hold(1);
        assertThat(master.keep(1)).isTrue();
        master.release(1);
        assertThat(master.keep(1)).isTrue();
        push(worker, 1);
        assertThat(master.pins()).containsExactly(1L, 2L);
        master.hold(2);
        master.keep(2);
        master.release(2);
        master.keepOnly(2);

        assertThat(master.pins()).containsExactly(2L);
        push(worker, 2);
        assertThat(master.pins()).containsExactly(2L, 3L);
        master.keepOnly(-1);
        assertThat(master.pins()).containsExactly(3L);
    }

    @Test
    void lost_version_is_fully_pinned_only_after_all_shards_remake_it() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        List<Long> told = new ArrayList<>();
        master.pinEvery(1, 4, told::add);
        ShardsPort worker = shards.worker("a");
        push(worker, 0);
        push(worker, 1);
        shards.lose(0);
        shards.bringBack(0);
        push(worker, 0);
        push(worker, 1);

        // The other shard's copies predate the loss.
        assertThat(told).containsExactly(1L, 2L);
        assertThat(master.pins()).isEmpty();
        shards.lose(1);
        shards.bringBack(1);
        shards.lose(0);
        shards.bringBack(0);
        push(worker, 0);
        assertThat(told).containsExactly(1L, 2L, 1L);
        assertThat(master.pins()).containsExactly(1L);
    }

    @Test
    void the_present_parameters_can_be_held_under_a_number() throws InterruptedException {
        begin(Consistency.asynchronous());
        ShardsControl master = shards.lead(new Term(1, "m"));
        push(shards.worker("a"), 0);
        master.pinNow(1);
        push(shards.worker("a"), 1);

        assertThat(master.pinned(1).orElseThrow().weights()).containsExactly(-1, -1, -1, -1);
        assertThat(master.unpin(1)).isTrue();
        assertThat(master.pinned(1)).isEmpty();
    }

    /** Placeholder before a contract has begun. */
    private static final class None implements Shards {
        @Override
        public ShardsPort worker(String name) {
            throw new IllegalStateException("no shards yet");
        }

        @Override
        public ShardsControl lead(Term term) {
            throw new IllegalStateException("no shards yet");
        }

        @Override
        public void lose(int shard) {
            throw new IllegalStateException("no shards yet");
        }

        @Override
        public void bringBack(int shard) {
            throw new IllegalStateException("no shards yet");
        }

        @Override
        public void close() {}
    }
}
