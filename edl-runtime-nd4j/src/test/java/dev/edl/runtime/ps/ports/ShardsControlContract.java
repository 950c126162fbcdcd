package dev.edl.runtime.ps.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Contract of the master's control of all shards, independent of their location. A subclass supplies two shards of two
 * floats each, zeros at the start, plain SGD with rate 1 and {@link #PER_EPOCH} minibatches an epoch.
 */
public abstract class ShardsControlContract {
    /** Minibatches of an epoch. */
    protected static final int PER_EPOCH = 1000;

    /** Longer than any wait of these tests takes. */
    protected static final Duration LONG = Duration.ofMinutes(5);

    /** The shortest wait. */
    protected static final Duration SHORT = Duration.ofMillis(1);

    /** Shards, and the operations on their hosts and workers. */
    protected interface Hosts extends AutoCloseable {
        MasterShardGroup shards();

        /** Pulls, and pushes ones to all shards under an id; one thread for each worker. */
        void push(String worker, long pushId) throws InterruptedException;

        /** Detaches a shard. */
        void lose(int shard);

        /** Attaches a shard again, with zeros, and returns once it occupies its slot. */
        void bringBack(int shard);

        /** Returns the members of a shard's rounds. */
        List<String> members(int shard);

        /** Returns the record that a shard holds. */
        Optional<DecisionRecord> kept(int shard);

        @Override
        void close();
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Hosts> started = new ArrayList<>();

    /** Starts shards; calls wait for an absent shard up to the given bound. */
    protected abstract Hosts start(Consistency consistency, Duration patience);

    private Hosts begin(Consistency consistency, Duration patience) {
        Hosts hosts = start(consistency, patience);
        started.add(hosts);
        return hosts;
    }

    private Hosts begin() {
        return begin(Consistency.asynchronous(), LONG);
    }

    @AfterEach
    void stop() {
        started.forEach(Hosts::close);
        threads.shutdownNow();
    }

    private static Term term(long number) {
        return new Term(number, "m." + number);
    }

    private static DecisionRecord record(long term, long number) {
        return new DecisionRecord(term, number, new byte[] {(byte) number});
    }

    private static <T> T within(Future<T> future) throws Exception {
        return future.get(1, TimeUnit.MINUTES);
    }

    private static long next(BlockingQueue<Long> told) throws InterruptedException {
        Long version = told.poll(1, TimeUnit.MINUTES);
        return version == null ? -1 : version;
    }

    @Test
    void every_request_of_a_lower_term_is_refused() throws Exception {
        Hosts hosts = begin();
        ShardsControl old = hosts.shards().lead(term(1));
        old.join("a");
        long lives = old.lives();
        ShardsControl master = hosts.shards().lead(term(2));

        String refused = "parameter shard ps-0 follows term 2 of m.2 and refuses a request of term 1 of m.1";
        assertThatThrownBy(() -> old.join("b"))
                .isInstanceOf(StaleTermException.class)
                .hasMessage(refused);
        assertThatThrownBy(() -> old.leave("a")).hasMessage(refused);
        assertThatThrownBy(() -> old.holds(0, 1, lives)).hasMessage(refused);
        assertThatThrownBy(() -> old.pushes(0)).hasMessage(refused);
        assertThatThrownBy(old::flush).hasMessage(refused);
        assertThatThrownBy(old::cut).hasMessage(refused);
        assertThatThrownBy(() -> old.decide(record(1, 0))).hasMessage(refused);
        assertThatThrownBy(old::decided).hasMessage(refused);
        assertThatThrownBy(old::lives).hasMessage(refused);
        assertThatThrownBy(() -> old.pinEvery(1, 1, version -> {})).hasMessage(refused);
        assertThatThrownBy(old::pins).hasMessage(refused);
        assertThatThrownBy(() -> old.pinNow(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.hold(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.release(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.keep(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.keepOnly(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.pinned(1)).hasMessage(refused);
        assertThatThrownBy(() -> old.unpin(1)).hasMessage(refused);
        assertThatThrownBy(() -> hosts.shards().lead(term(1))).hasMessage(refused);
        assertThat(master.term()).isEqualTo(term(2));
        assertThat(master.count()).isEqualTo(2);
        assertThat(hosts.members(0)).isEmpty();
        assertThat(hosts.members(1)).isEmpty();
    }

    @Test
    void wait_for_an_absent_shard_is_bounded_and_names_it() {
        Hosts hosts = begin(Consistency.asynchronous(), SHORT);
        ShardsControl master = hosts.shards().lead(term(1));
        hosts.lose(1);

        String absent = "parameter shard ps-1 did not come back within 1ms";
        assertThat(hosts.shards().missing()).isEqualTo(1);
        assertThat(hosts.shards().newestVersion()).isEmpty();
        assertThatThrownBy(() -> master.holds(0, 1, master.lives()))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage(absent);
        assertThatThrownBy(master::pushes).hasMessage(absent);
        assertThatThrownBy(master::cut).hasMessage(absent);
        assertThatThrownBy(hosts.shards()::cut).hasMessage(absent);
        assertThatThrownBy(master::flush).hasMessage(absent);
        assertThatThrownBy(master::pins).hasMessage(absent);
        assertThatThrownBy(() -> master.decide(record(1, 0))).hasMessage(absent);
        assertThatThrownBy(() -> master.pinEvery(1, 1, version -> {})).hasMessage(absent);
    }

    @Test
    void calls_that_need_no_absent_shard_do_not_wait() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        hosts.push("a", 3);
        hosts.lose(1);

        assertThat(master.join("a")).isTrue();
        assertThat(master.join("a")).isFalse();
        assertThat(hosts.members(0)).containsExactly("a");
        assertThat(master.leave("a")).isTrue();
        assertThat(master.leave("a")).isFalse();
        assertThat(hosts.members(0)).isEmpty();
        assertThat(master.pushes(0).map(pushes -> pushes.applied(0))).hasValue(BitSet.valueOf(new long[] {0b1000}));
        assertThat(master.pushes(1)).isEmpty();
        assertThat(master.lives()).isEqualTo(master.lives());
    }

    @Test
    void pushes_of_absent_shards_are_awaited_only_while_the_present_ones_hold_none() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        hosts.lose(1);
        Future<Map<Integer, ShardPushes>> all = threads.submit(() -> master.pushes());
        hosts.bringBack(1);
        assertThat(within(all)).containsOnlyKeys(0, 1);
        hosts.push("a", 3);
        assertThat(master.pushes()).containsOnlyKeys(0, 1);
        hosts.lose(1);

        assertThat(master.pushes()).containsOnlyKeys(0);
        assertThat(master.pushes(0).map(pushes -> pushes.held(0))).hasValue(BitSet.valueOf(new long[] {0b1000}));
    }

    @Test
    void call_continues_once_the_absent_shard_is_attached() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        hosts.push("a", 0);
        long before = master.lives();
        hosts.lose(1);
        Future<Boolean> held = threads.submit(() -> master.holds(0, 1, ShardLife.UNKNOWN_LIVES));
        Future<ShardCut> cut = threads.submit(master::cut);
        hosts.bringBack(1);

        assertThat(within(held)).isFalse();
        assertThat(within(cut)).hasToString("version 1 of 2 shards, inconsistent");
        assertThat(master.lives()).isNotEqualTo(before);
        assertThat(hosts.shards().missing()).isEqualTo(-1);
        assertThat(hosts.shards().newestVersion()).hasValue(1);
    }

    @Test
    void pushes_are_held_while_the_lives_that_took_them_last() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        hosts.push("a", 0);
        long lives = master.lives();
        assertThat(master.holds(0, 1, lives)).isTrue();
        // The caller is trusted: no shard is queried.
        assertThat(master.holds(0, 8, lives)).isTrue();
        assertThat(master.holds(0, 8, lives + 1)).isFalse();
        hosts.lose(1);
        hosts.bringBack(1);

        assertThat(master.holds(0, 1, lives)).isFalse();
        hosts.push("a", 0);
        assertThat(master.holds(0, 1, lives)).isTrue();
    }

    @Test
    void a_shard_that_was_replaced_has_the_members_that_the_others_have() throws Exception {
        Hosts hosts = begin(Consistency.synchronous(), LONG);
        ShardsControl master = hosts.shards().lead(term(1));
        master.join("a");
        master.join("b");
        master.join("c");
        hosts.lose(0);
        master.leave("b");
        master.join("d");
        hosts.bringBack(0);

        assertThat(hosts.members(0)).containsExactlyInAnyOrder("a", "c", "d");
        assertThat(hosts.members(1)).containsExactlyInAnyOrder("a", "c", "d");
    }

    @Test
    void a_new_master_begins_without_members() {
        Hosts hosts = begin(Consistency.synchronous(), LONG);
        hosts.shards().lead(term(1)).join("a");
        ShardsControl master = hosts.shards().lead(term(2));

        assertThat(hosts.members(0)).isEmpty();
        assertThat(hosts.members(1)).isEmpty();
        assertThat(master.join("a")).isTrue();
        assertThat(hosts.members(1)).containsExactly("a");
    }

    @Test
    void a_decision_reaches_every_shard_and_survives_on_one() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        assertThat(master.decided()).isEmpty();
        master.decide(record(1, 0));
        master.decide(record(1, 1));
        assertThat(hosts.kept(0)).hasToString("Optional[decision 1 of term 1, 1 bytes]");
        assertThat(hosts.kept(1)).hasToString("Optional[decision 1 of term 1, 1 bytes]");
        hosts.lose(0);

        assertThat(hosts.shards().decided()).hasToString("Optional[decision 1 of term 1, 1 bytes]");
        assertThat(hosts.shards().lead(term(2)).decided()).hasToString("Optional[decision 1 of term 1, 1 bytes]");
    }

    @Test
    void decision_completes_once_an_absent_shard_has_it() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        hosts.lose(1);
        Future<?> decided = threads.submit(() -> {
            master.decide(record(1, 4));
            return "decided";
        });
        hosts.bringBack(1);

        assertThat(within(decided)).isEqualTo("decided");
        assertThat(hosts.kept(0)).hasToString("Optional[decision 4 of term 1, 1 bytes]");
        assertThat(hosts.kept(1)).hasToString("Optional[decision 4 of term 1, 1 bytes]");
    }

    @Test
    void cut_during_pushes_has_the_same_pushes_in_all_shards() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        List<Future<?>> pushing = new ArrayList<>();
        for (int w = 0; w < 3; w++) {
            String worker = "w" + w;
            long first = w * 200L;
            pushing.add(threads.submit(() -> {
                for (long id = first; id < first + 200; id++) {
                    hosts.push(worker, id);
                }
                return worker;
            }));
        }
        for (int n = 0; n < 20; n++) {
            ShardCut cut = master.cut();
            assertThat(cut.consistent()).as("cut %d: %s", n, cut).isTrue();
            assertThat(cut.shards().get(0).appliedPushes().toArray())
                    .isEqualTo(cut.shards().get(1).appliedPushes().toArray());
            assertThat(cut.weights()).containsOnly((float) -cut.version());
        }
        for (Future<?> each : pushing) {
            within(each);
        }

        assertThat(master.cut()).hasToString("version 600 of 2 shards, consistent");
        assertThat(master.holds(0, 600, ShardLife.UNKNOWN_LIVES)).isTrue();
        assertThat(master.holds(0, 601, ShardLife.UNKNOWN_LIVES)).isFalse();
    }

    @Test
    void a_version_that_all_shards_have_pinned_is_announced_once() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        BlockingQueue<Long> told = new LinkedBlockingQueue<>();
        master.pinEvery(2, 3, told::add);
        for (long id = 0; id < 8; id++) {
            hosts.push("a", id);
        }

        assertThat(List.of(next(told), next(told), next(told), next(told))).containsExactly(2L, 4L, 6L, 8L);
        assertThat(master.pins()).containsExactly(4L, 6L, 8L);
        hosts.push("a", 8);
        hosts.push("a", 9);
        // The announcer keeps the order, so no other version was announced in between.
        assertThat(next(told)).isEqualTo(10);
        assertThat(told).isEmpty();
    }

    @Test
    void a_listener_may_use_the_shards() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        BlockingQueue<String> held = new LinkedBlockingQueue<>();
        master.pinEvery(1, 4, version -> {
            try {
                held.add(version + " " + master.hold(version) + " " + master.join("w" + version));
            } catch (InterruptedException e) {
                held.add(e.toString());
            }
        });
        hosts.push("a", 0);

        assertThat(held.poll(1, TimeUnit.MINUTES)).isEqualTo("1 true true");
        assertThat(master.pinned(1).orElseThrow().weights()).containsExactly(-1, -1, -1, -1);
    }

    @Test
    void lost_versions_of_a_replaced_shard_are_announced_once_remade() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        BlockingQueue<Long> told = new LinkedBlockingQueue<>();
        master.pinEvery(1, 8, told::add);
        hosts.push("a", 0);
        hosts.push("a", 1);
        assertThat(List.of(next(told), next(told))).containsExactly(1L, 2L);
        hosts.lose(0);
        hosts.bringBack(0);
        hosts.push("a", 0);
        hosts.push("a", 1);

        // The other shard's copies predate the loss.
        assertThat(master.pins()).isEmpty();
        assertThat(told).isEmpty();
        hosts.lose(1);
        hosts.bringBack(1);
        hosts.lose(0);
        hosts.bringBack(0);
        hosts.push("a", 0);
        assertThat(next(told)).isEqualTo(1);
        assertThat(master.pins()).containsExactly(1L);
    }

    @Test
    void versions_are_held_kept_released_and_dropped_on_all_shards() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        master.pinEvery(1, 2, version -> {});
        hosts.push("a", 0);
        assertThat(master.hold(1)).isTrue();
        assertThat(master.hold(7)).isFalse();
        assertThat(master.keep(7)).isFalse();
        hosts.push("a", 1);
        hosts.push("a", 2);
        assertThat(master.pins()).containsExactly(1L, 3L);
        assertThat(master.keep(1)).isTrue();
        master.release(1);
        hosts.push("a", 3);

        assertThat(master.pins()).containsExactly(1L, 3L, 4L);
        assertThat(master.pinned(1).orElseThrow().weights()).containsExactly(-1, -1, -1, -1);
        master.keepOnly(-1);
        assertThat(master.pinned(1)).isEmpty();
        master.pinNow(77);
        assertThat(master.pinned(77).orElseThrow()).hasToString("version 77: 4 floats");
        assertThat(master.unpin(77)).isTrue();
        assertThat(master.unpin(77)).isFalse();
    }

    @Test
    void a_flush_applies_what_waits_on_any_shard() throws Exception {
        Hosts hosts = begin(Consistency.synchronous(), LONG);
        ShardsControl master = hosts.shards().lead(term(1));
        master.join("a");
        master.join("b");
        hosts.push("a", 0);
        assertThat(hosts.shards().newestVersion()).hasValue(0);
        master.flush();

        assertThat(hosts.shards().newestVersion()).hasValue(1);
    }

    @Test
    void close_ends_every_wait_for_an_absent_shard_and_every_later_one() throws Exception {
        Hosts hosts = begin();
        ShardsControl master = hosts.shards().lead(term(1));
        hosts.lose(1);
        Future<Boolean> held = threads.submit(() -> master.holds(0, 1, ShardLife.UNKNOWN_LIVES));
        Future<ShardCut> cut = threads.submit(master::cut);
        hosts.shards().close();

        for (Future<?> each : List.of(held, cut)) {
            assertThatThrownBy(() -> within(each)).hasRootCauseMessage("the parameter shards are closed");
        }
        assertThatThrownBy(master::pins).hasMessage("the parameter shards are closed");
    }
}
