package dev.edl.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ports.Term;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ShardProtocolTest {
    private static final Link MASTER = new Link("master", 1);
    private static final Link WORKER = new Link("worker-0", 7);
    private static final Link AGAIN = new Link("worker-0", 8);
    private static final Term TERM = new Term(2, "m2");
    private static final ShardLife LIFE = new ShardLife("run", 2, 0);
    private static final CutId CUT = new CutId(TERM, 0);

    private final ShardRange range = new ShardRange(0, 0, 2);
    private final ShardProtocol server = new ShardProtocol("master", range, 1, true, state -> {
        ParameterShard shard = new ParameterShard(range, Optimizer.sgd(1f), Consistency.synchronous(), 10);
        shard.initialize(new float[2]);
        return shard;
    });
    private long now;

    private List<Effect> hears(Link link, Message message) {
        return server.on(new Event.Received(link, message), now);
    }

    private void lives(String... members) {
        server.on(new Event.Tick(), now);
        hears(MASTER, new MasterToShard.Order(TERM, LIFE, null));
        server.on(new Event.Loaded(1, null), now);
        hears(MASTER, new MasterToShard.Members(TERM, 1, new TreeSet<>(List.of(members))));
    }

    private static WorkerToShard.Push push(long sequence, long id, long version, float... gradient) {
        return new WorkerToShard.Push(LIFE, sequence, id, version, FloatBuffer.wrap(gradient));
    }

    private static Effect send(Link link, Message message) {
        return new Effect.Send(link, message);
    }

    @Test
    void a_server_without_an_order_has_no_life() {
        assertThat(hears(WORKER, new WorkerToShard.Pull(LIFE, 3)))
                .contains(send(WORKER, new ShardToWorker.Gone(ShardLife.UNORDERED, 3)));
    }

    @Test
    void an_order_of_a_lower_term_is_refused() {
        lives();

        Term lower = new Term(1, "m1");

        assertThat(hears(MASTER, new MasterToShard.Order(lower, new ShardLife("run", 1, 4), null)))
                .containsExactly(send(MASTER, new ShardToMaster.Refused(2)));
    }

    @Test
    void an_order_of_another_master_of_the_term_is_refused() {
        lives();

        assertThat(hears(MASTER, new MasterToShard.Hold(new Term(2, "m3"), CUT)))
                .containsExactly(send(MASTER, new ShardToMaster.Refused(2)));
    }

    @Test
    void the_answer_to_a_push_goes_to_the_connection_that_its_worker_has_when_the_round_is_over() {
        lives("worker-0", "worker-1");

        List<Effect> first = hears(WORKER, push(1, 0, 0, 1, 2));
        List<Effect> repeated = hears(AGAIN, push(1, 0, 0, 1, 2));
        List<Effect> over = hears(MASTER, new MasterToShard.Members(TERM, 2, new TreeSet<>(List.of("worker-0"))));

        assertThat(first).isEmpty();
        assertThat(repeated).isEmpty();
        assertThat(over).containsExactly(send(AGAIN, new ShardToWorker.Result(LIFE, 1, Outcome.APPLIED, 1)));
    }

    @Test
    void a_round_waits_for_no_idle_worker_until_its_next_push() {
        lives("worker-0", "worker-1");
        Link other = new Link("worker-1", 9);
        hears(other, push(1, 5, 0, 1, 1));
        hears(WORKER, push(1, 0, 0, 1, 1));
        hears(other, new WorkerToShard.Idle(LIFE, 1));

        List<Effect> alone = hears(WORKER, push(2, 1, 1, 1, 1));
        hears(other, push(2, 6, 2, 1, 1));
        hears(WORKER, push(3, 2, 2, 1, 1));
        List<Effect> waiting = hears(WORKER, push(4, 3, 3, 1, 1));

        assertThat(alone).containsExactly(send(WORKER, new ShardToWorker.Result(LIFE, 2, Outcome.APPLIED, 2)));
        assertThat(waiting).isEmpty();
    }

    @Test
    void a_gradient_that_is_not_finite_is_refused_and_not_applied() {
        lives("worker-0");

        assertThat(hears(WORKER, push(1, 0, 0, 1, Float.NaN)))
                .containsExactly(send(WORKER, new ShardToWorker.NotFinite(LIFE, 1)));
        assertThat(hears(MASTER, new MasterToShard.Confirm(TERM, LIFE, 4, 0, 1)))
                .containsExactly(send(MASTER, new ShardToMaster.Confirmed(LIFE, 4, 0)));
    }

    @Test
    void a_held_push_is_taken_when_a_flush_lets_it_in() {
        lives("worker-0");
        hears(MASTER, new MasterToShard.Hold(TERM, CUT));

        List<Effect> held = hears(WORKER, push(3, 0, 0, 1, 2));
        List<Effect> flushed = hears(MASTER, new MasterToShard.Flush(TERM, CUT, Map.of("worker-0", 3L)));

        assertThat(held).isEmpty();
        assertThat(flushed)
                .containsExactly(
                        send(WORKER, new ShardToWorker.Result(LIFE, 3, Outcome.APPLIED, 1)),
                        send(MASTER, new ShardToMaster.Flushed(LIFE, CUT)));
    }

    @Test
    void a_hold_ends_by_itself_after_ten_seconds() {
        lives("worker-0");
        hears(MASTER, new MasterToShard.Hold(TERM, CUT));
        hears(WORKER, push(3, 0, 0, 1, 2));

        now += PushHold.LIMIT;

        assertThat(server.on(new Event.Tick(), now))
                .contains(send(WORKER, new ShardToWorker.Result(LIFE, 3, Outcome.APPLIED, 1)));
    }

    @Test
    void a_server_that_has_the_life_of_an_order_keeps_its_state() {
        lives("worker-0");
        hears(WORKER, push(1, 3, 0, 1, 2));

        List<Effect> again = hears(MASTER, new MasterToShard.Order(new Term(3, "m3"), LIFE, CUT));

        assertThat(again).hasSize(1);
        assertThat(((Effect.Send) again.get(0)).message().toString())
                .isEqualTo("Ordered[life=life 0 of term 2, applied=[{3}], pending=[]]");
    }

    @Test
    void a_server_that_was_replaced_ends_and_asks_to_be_tried_again() {
        lives();

        assertThat(hears(MASTER, new MasterToShard.Replaced(new Term(2, "m3"))))
                .containsExactly(new Effect.End(75, "another server has the place of ps-0"));
    }
}
