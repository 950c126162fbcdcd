package dev.edl.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.LedgerSpec;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MasterProtocolTest {
    private static final Link SERVER = new Link("ps-0", 1);
    private static final Link WORKER = new Link("worker-0", 2);
    private static final Term TERM = new Term(1, "m1");
    private static final ShardLife LIFE = new ShardLife("run/m1", 1, 0);

    private final LedgerSpec spec = LedgerSpec.builder()
            .training(List.of(new DataShard("a", 4)))
            .minibatchSize(1)
            .minibatchesPerTask(4)
            .leaseTimeout(Duration.ofSeconds(10))
            .build();
    private final MasterProtocol master =
            new MasterProtocol("run", "m1", spec, 1, Duration.ofMinutes(1), new Disk().of("m1", event -> {}));
    private long now;

    private List<Effect> hears(Link link, Message message) {
        return master.on(new Event.Received(link, message), now);
    }

    private void leads() {
        hears(SERVER, new ShardToMaster.Hello(0, ShardLife.UNORDERED));
        hears(SERVER, new ShardToMaster.Ordered(LIFE, List.of(new BitSet()), List.of()));
    }

    private static Effect send(Link link, Message message) {
        return new Effect.Send(link, message);
    }

    @Test
    void a_term_is_one_more_than_the_highest_that_a_server_follows() {
        assertThat(hears(SERVER, new ShardToMaster.Hello(6, ShardLife.UNORDERED)))
                .containsExactly(
                        send(SERVER, new MasterToShard.Order(new Term(7, "m1"), new ShardLife("run/m1", 7, 0), null)));
    }

    @Test
    void a_master_ends_when_a_server_follows_a_later_one() {
        leads();

        assertThat(hears(SERVER, new ShardToMaster.Refused(2)))
                .containsExactly(new Effect.End(75, "ps-0 follows term 2, this is term 1 of m1"));
    }

    @Test
    void a_second_server_of_a_shard_is_ended_when_it_has_another_life() {
        leads();
        Link zombie = new Link("ps-0", 9);

        assertThat(hears(zombie, new ShardToMaster.Hello(1, new ShardLife("run/m0", 1, 0))))
                .containsExactly(send(zombie, new MasterToShard.Replaced(TERM)));
    }

    @Test
    void a_message_of_a_connection_that_is_not_the_newest_closes_it() {
        leads();
        hears(WORKER, new WorkerToMaster.Hello(0, null));
        hears(new Link("worker-0", 3), new WorkerToMaster.Hello(0, null));

        assertThat(hears(WORKER, new WorkerToMaster.Next(1))).containsExactly(new Effect.Close(WORKER));
    }

    @Test
    void a_silent_worker_leaves_the_rounds_before_its_lease_runs_out() {
        leads();
        hears(WORKER, new WorkerToMaster.Hello(0, null));
        hears(WORKER, new WorkerToMaster.Next(1));
        now += MasterProtocol.SILENCE + 1;

        assertThat(master.wakeAt()).isEqualTo(now);
        assertThat(master.on(new Event.Tick(), now))
                .containsExactly(send(SERVER, new MasterToShard.Members(TERM, 2, new TreeSet<>())));
        assertThat(master.toString()).contains("1 leased");
    }

    @Test
    void a_worker_that_followed_a_later_master_is_answered_only_while_every_server_is_there() {
        leads();
        master.on(new Event.Closed(SERVER), now);

        assertThat(hears(WORKER, new WorkerToMaster.Hello(3, null))).containsExactly(new Effect.Close(WORKER));
    }

    @Test
    void a_server_of_another_run_is_named() {
        assertThatThrownBy(() -> hears(new Link("ps-4", 1), new ShardToMaster.Hello(0, ShardLife.UNORDERED)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"ps-4\" is no parameter server of this run; there are ps-0 to ps-0");
    }
}
