package dev.edl.runtime.ps.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cuts whose copies take their time to arrive. */
@Timeout(120)
class RemoteCutTest {
    private static final Term TERM = new Term(1, "m.1");
    /** Number of a group's first cut. */
    private static final long FIRST_CUT = CutRetry.TRIES;

    private final CountDownLatch awaited = new CountDownLatch(2);
    private final CountDownLatch release = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<String> closed = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> cuts = new ConcurrentLinkedQueue<>();
    private ServerHosts hosts = hosts(Consistency.asynchronous());

    private static ServerHosts hosts(Consistency consistency) {
        return new ServerHosts(new ShardGroup("unit", 2, Duration.ofMinutes(1)), consistency, 1000);
    }

    @AfterEach
    void stop() {
        release.countDown();
        hosts.shards.close();
    }

    private ShardsControl lead(ServerHosts.Saving zero, ServerHosts.Saving one) {
        hosts.begin(0);
        hosts.attach(0, port -> ServerHosts.saving(port, zero));
        hosts.begin(1);
        hosts.attach(1, port -> ServerHosts.saving(port, one));
        return hosts.shards.lead(TERM);
    }

    /** Takes a copy whose transfer waits until the test releases it. */
    private SnapshotTransfer slow(ShardPort port, Term term, long cut) throws InterruptedException {
        SnapshotTransfer copy = port.saveCut(term, cut);
        return new SnapshotTransfer() {
            @Override
            public ShardSnapshot await() throws InterruptedException {
                awaited.countDown();
                Waits.on(release);
                return copy.await();
            }

            @Override
            public void close() {
                closed.add("cut " + cut);
            }
        };
    }

    private static <T> FutureTask<T> started(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Waits.THREADS.execute(task);
        return task;
    }

    private static <T> T within(FutureTask<T> task) throws Exception {
        return task.get(30, TimeUnit.SECONDS);
    }

    private boolean isHeld(int index) throws InterruptedException {
        return hosts.hosted(index).flushCut(TERM, FIRST_CUT, Map.of(), Duration.ZERO);
    }

    @Test
    void workers_push_and_join_while_copies_are_in_transfer() throws Exception {
        ShardsControl master = lead(this::slow, this::slow);
        hosts.push("a", 0);
        FutureTask<ShardCut> cut = started(master::cut);
        Waits.on(awaited);

        assertThat(List.of(isHeld(0), isHeld(1))).containsExactly(false, false);
        assertThat(within(started(() -> {
                    hosts.push("a", 1);
                    return master.join("b");
                })))
                .isTrue();
        assertThat(cut).isNotDone();
        release.countDown();
        assertThat(within(cut)).hasToString("version 1 of 2 shards, consistent");
        assertThat(closed).containsExactly("cut 3", "cut 3");
    }

    @Test
    void failed_copy_ends_all_holds_and_drops_the_other_transfer() throws Exception {
        ShardsControl master = lead(this::slow, (port, term, cut) -> {
            throw new IllegalStateException("no memory for the copy");
        });

        assertThatThrownBy(() -> within(started(master::cut))).hasRootCauseMessage("no memory for the copy");
        assertThat(List.of(isHeld(0), isHeld(1))).containsExactly(false, false);
        assertThat(closed).containsExactly("cut 3");
        assertThat(awaited.getCount()).isEqualTo(2);
    }

    @Test
    void cut_is_taken_again_if_a_shard_is_replaced_during_the_transfer() throws Exception {
        ShardsControl master = lead(this::slow, this::slow);
        hosts.push("a", 0);
        FutureTask<ShardCut> cut = started(master::cut);
        Waits.on(awaited);
        within(started(() -> {
            hosts.lose(1);
            hosts.bringBack(1);
            return true;
        }));
        release.countDown();

        assertThat(within(cut)).hasToString("version 1 of 2 shards, inconsistent");
        assertThat(within(cut).shards().get(1).version()).isZero();
    }

    @Test
    void cut_through_a_round_that_ended_at_one_shard_is_repeated() throws Exception {
        hosts.shards.close();
        hosts = hosts(Consistency.synchronous());
        ShardsControl master = lead(ShardPort::saveCut, (port, term, cut) -> {
            cuts.add(cut);
            SnapshotTransfer copy = port.saveCut(term, cut);
            hosts.hosted(1).flush(TERM);
            return copy;
        });
        master.join("a");
        master.join("b");
        hosts.push("a", 0);
        hosts.hosted(0).flush(TERM);

        assertThat(within(started(master::cut))).hasToString("version 1 of 2 shards, consistent");
        assertThat(cuts).containsExactly(FIRST_CUT, FIRST_CUT + 1);
    }
}
