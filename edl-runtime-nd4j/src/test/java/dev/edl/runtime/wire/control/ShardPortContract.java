package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract of a master's port to a shard, independent of the shard's location. */
abstract class ShardPortContract {
    static final Term FIRST = new Term(1, "master-0.1");
    static final Term SECOND = new Term(2, "master-0.2");
    static final ShardLife LIFE = new ShardLife("master", 1, 0);
    private static final int PER_EPOCH = 8;

    private final ParameterShard shard = shard();
    final HostedShard hosted = new HostedShard(shard, FIRST, LIFE);
    private long sequence;

    private static ParameterShard shard() {
        ShardContents contents = ShardContents.floats(4);
        ParameterShard shard = new ParameterShard(
                contents.split(1).get(0),
                1,
                contents,
                UpdateRule.of(Optimizer.sgd(1f), Consistency.asynchronous()),
                PER_EPOCH);
        shard.initialize(new float[4]);
        return shard;
    }

    /** Returns a master's port to a shard. */
    abstract ShardPort port(HostedShard shard) throws Exception;

    abstract void close();

    @AfterEach
    void stop() {
        close();
    }

    final void push(long id) throws InterruptedException {
        float[] gradient = {1, 2, 3, 4};
        sequence++;
        PushResult result = hosted.push("a", sequence, id, LIFE, hosted.version(FIRST), gradient, List.of());
        assertThat(result.outcome()).isEqualTo(PushResult.Outcome.APPLIED);
    }

    @Test
    void it_serves_one_life() throws Exception {
        assertThat(port(hosted).life()).isEqualTo(LIFE);
    }

    @Test
    void reports_the_pushes_that_the_shard_holds() throws Exception {
        ShardPort port = port(hosted);
        push(8);
        push(9);
        BitSet applied = new BitSet();
        applied.set(0, 2);

        assertThat(port.held(FIRST, 8, 4)).isEqualTo(2);
        assertThat(port.pushes(FIRST).applied(1)).isEqualTo(applied);
        assertThat(port.pushes(FIRST).applied(0)).isEqualTo(new BitSet());
        assertThat(port.version(FIRST)).isEqualTo(2);
        port.flush(FIRST);
        assertThat(port.version(FIRST)).isEqualTo(2);
    }

    @Test
    void cut_has_all_admitted_pushes_and_admits_later_ones_afterwards() throws Exception {
        ShardPort port = port(hosted);
        push(0);
        push(1);

        assertThat(port.beginCut(FIRST, 0)).isEqualTo(Map.of("a", 2L));
        assertThat(port.flushCut(FIRST, 0, Map.of("a", 2L), Duration.ZERO)).isTrue();
        SnapshotTransfer copy = port.saveCut(FIRST, 0);
        assertThat(isHeld(port)).isFalse();
        push(2);
        ShardSnapshot saved = copy.await();

        assertThat(saved.version()).isEqualTo(2);
        assertThat(saved.appliedPushes()).containsExactly(0L, 1L);
        assertThat(port.taken(FIRST)).isEqualTo(Map.of("a", 3L));
    }

    /** Returns whether cut 0 still blocks pushes. */
    private static boolean isHeld(ShardPort port) throws InterruptedException {
        return port.flushCut(FIRST, 0, Map.of(), Duration.ZERO);
    }

    @Test
    void cut_reports_a_push_that_does_not_arrive() throws Exception {
        ShardPort port = port(hosted);
        push(0);
        port.beginCut(FIRST, 0);

        assertThat(port.flushCut(FIRST, 0, Map.of("a", 2L), Duration.ZERO)).isFalse();
        assertThat(isHeld(port)).isTrue();
        port.endCut(FIRST, 0);
        assertThat(isHeld(port)).isFalse();
        port.follow(FIRST, Map.of("a", 5L));
        assertThat(port.taken(FIRST)).isEqualTo(Map.of("a", 5L));
    }

    @Test
    void it_keeps_the_newest_decision() throws Exception {
        ShardPort port = port(hosted);
        assertThat(port.decided()).isEmpty();
        byte[] content = {0, -1, 127, -128};
        port.decide(FIRST, new DecisionRecord(1, 7, content));

        assertThat(port.decided()).hasValueSatisfying(record -> {
            assertThat(record).hasToString("decision 7 of term 1, 4 bytes");
            assertThat(record.content()).containsExactly(content);
        });
        assertThatThrownBy(() -> port.decide(FIRST, new DecisionRecord(1, 6, content)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ps-0 has a later decision than decision 6 of term 1, 4 bytes");
    }

    @Test
    void it_reports_each_version_that_it_pins_in_order() throws Exception {
        ShardPort port = port(hosted);
        LinkedBlockingQueue<Long> pinned = new LinkedBlockingQueue<>();
        port.pinEvery(FIRST, 2, 4, pinned::add);
        for (int id = 0; id < 6; id++) {
            push(id);
        }

        assertThat(List.of(next(pinned), next(pinned), next(pinned))).containsExactly(2L, 4L, 6L);
        assertThat(port.pins(FIRST)).containsExactly(2L, 4L, 6L);
        port.dropFreePinsAbove(FIRST, 4);
        assertThat(port.pins(FIRST)).containsExactly(2L, 4L);
    }

    private static long next(LinkedBlockingQueue<Long> pinned) throws InterruptedException {
        Long version = pinned.poll(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS);
        return version == null ? -1 : version;
    }

    @Test
    void a_pinned_version_is_held_copied_kept_and_dropped() throws Exception {
        ShardPort port = port(hosted);
        push(0);
        port.pinNow(FIRST, 1);
        push(1);

        assertThat(port.holdPin(FIRST, 1)).isTrue();
        assertThat(port.holdPin(FIRST, 2)).isFalse();
        assertThat(port.pinned(FIRST, 1)).map(PinnedShard::weights).hasValue(new float[] {-1, -2, -3, -4});
        assertThat(port.pinned(FIRST, 2)).isEmpty();
        assertThat(port.keepPin(FIRST, 1)).isTrue();
        port.releasePin(FIRST, 1);
        assertThat(port.pins(FIRST)).containsExactly(1L);
        port.keepOnlyPin(FIRST, -1);
        assertThat(port.dropPin(FIRST, 1)).isFalse();
    }

    @Test
    void a_change_of_members_counts_once_and_in_order() throws Exception {
        ShardPort port = port(hosted);
        assertThat(port.member(FIRST, 1, "a", true)).isFalse();
        port.members(FIRST, 0, List.of());
        assertThat(port.member(FIRST, 1, "a", true)).isTrue();
        assertThat(port.member(FIRST, 2, "b", true)).isTrue();
        assertThat(shard.members()).containsExactly("a", "b");
        assertThat(port.member(FIRST, 1, "a", false)).isTrue();
        assertThat(port.member(FIRST, 4, "b", false)).isFalse();
        port.members(FIRST, 1, List.of("a"));
        assertThat(shard.members()).containsExactly("a", "b");
        assertThat(port.member(FIRST, 3, "a", false)).isTrue();
        assertThat(shard.members()).containsExactly("b");
        port.members(FIRST, 5, List.of("c", "b"));

        assertThat(shard.members()).containsExactly("b", "c");
    }

    @Test
    void members_of_an_earlier_term_are_replaced_before_they_change() throws Exception {
        ShardPort port = port(hosted);
        port.members(FIRST, 7, List.of("a", "b"));
        assertThat(port.member(SECOND, 8, "c", true)).isFalse();
        port.members(SECOND, 2, List.of("b"));

        assertThat(port.member(SECOND, 3, "c", true)).isTrue();
        assertThat(shard.members()).containsExactly("b", "c");
    }

    @Test
    void request_of_a_replaced_master_is_refused() throws Exception {
        ShardPort port = port(hosted);
        port.members(SECOND, 0, List.of("a", "b"));

        assertThatThrownBy(() -> port.members(FIRST, 0, List.of()))
                .isInstanceOfSatisfying(
                        StaleTermException.class,
                        stale -> assertThat(stale.followed()).isEqualTo(2))
                .hasMessage("parameter shard ps-0 follows term 2 of master-0.2"
                        + " and refuses a request of term 1 of master-0.1");
    }

    @Test
    void every_request_to_an_ended_life_is_refused() throws Exception {
        ShardPort port = port(hosted);
        hosted.retire();

        assertThatThrownBy(() -> port.version(FIRST)).isInstanceOf(ShardGoneException.class);
        assertThatThrownBy(() -> port.saveCut(FIRST, 0))
                .isInstanceOf(ShardGoneException.class)
                .hasMessage("parameter shard ps-0 was detached");
    }
}
