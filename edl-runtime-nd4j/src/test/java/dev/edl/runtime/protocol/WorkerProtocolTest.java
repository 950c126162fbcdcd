package dev.edl.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskType;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerProtocolTest {
    private static final Link MASTER = new Link("master", 1);
    private static final Link FIRST = new Link("ps-0", 1);
    private static final Link SECOND = new Link("ps-1", 1);
    private static final Term TERM = new Term(1, "m1");
    private static final ShardLife A = new ShardLife("run", 1, 0);
    private static final ShardLife B = new ShardLife("run", 1, 1);
    private static final ShardLife LATER = new ShardLife("run", 1, 2);
    private static final Task TASK = new Task(1, TaskType.TRAINING, 0, -1, "a", 0, 2, 1, 0, 2, 0);

    private final WorkerProtocol worker =
            new WorkerProtocol("master", List.of(new ShardRange(0, 0, 1), new ShardRange(1, 1, 1)));
    private long now;

    private List<Effect> hears(Link link, Message message) {
        return worker.on(new Event.Received(link, message), now);
    }

    private List<Effect> sees(ShardLife first, ShardLife second) {
        return hears(MASTER, new MasterToWorker.View(TERM, List.of(first, second)));
    }

    private static FloatBuffer floats(float... values) {
        return FloatBuffer.wrap(values);
    }

    private static Effect send(Link link, Message message) {
        return new Effect.Send(link, message);
    }

    private static Effect push(Link link, ShardLife life, long sequence, float gradient) {
        return send(link, new WorkerToShard.Push(life, sequence, 0, 4, floats(gradient)));
    }

    private static ShardToWorker result(ShardLife life, Outcome outcome) {
        return new ShardToWorker.Result(life, 4, outcome, 5);
    }

    /** Has pulled, and computed the gradient of its first minibatch. */
    private List<Effect> pushes() {
        worker.on(new Event.Tick(), now);
        sees(A, B);
        hears(MASTER, new MasterToWorker.Welcome(false));
        hears(MASTER, new MasterToWorker.Given(0, TASK));
        hears(FIRST, new ShardToWorker.Count(A, 1, 0));
        hears(SECOND, new ShardToWorker.Count(B, 1, 0));
        hears(FIRST, new ShardToWorker.Values(A, 2, 4, floats(1)));
        hears(SECOND, new ShardToWorker.Values(B, 2, 4, floats(2)));
        return worker.on(new Event.Computed(3, floats(7, 8)), now);
    }

    @Test
    void a_push_goes_to_all_shards_at_once() {
        assertThat(pushes()).containsExactly(push(FIRST, A, 4, 7), push(SECOND, B, 4, 8));
    }

    @Test
    void a_push_whose_connection_broke_is_sent_again_with_its_sequence_and_id() {
        pushes();

        worker.on(new Event.Closed(FIRST), now);
        now += 50_000_000;

        assertThat(worker.on(new Event.Tick(), now)).contains(push(new Link("ps-0", 2), A, 4, 7));
    }

    @Test
    void a_worker_that_waits_for_one_shard_is_idle_at_the_others_after_50_ms() {
        pushes();
        List<Effect> at = hears(FIRST, result(A, Outcome.APPLIED));
        now += WorkerProtocol.IDLE_AFTER;

        assertThat(at).isEmpty();
        assertThat(worker.wakeAt()).isEqualTo(now);
        assertThat(worker.on(new Event.Tick(), now)).containsExactly(send(FIRST, new WorkerToShard.Idle(A, 4)));
        assertThat(worker.on(new Event.Tick(), now)).isEmpty();
    }

    @Test
    void a_gradient_of_weights_that_a_shard_has_lost_is_computed_again() {
        pushes();

        assertThat(sees(A, LATER))
                .containsExactly(
                        send(FIRST, new WorkerToShard.Pull(A, 5)), send(SECOND, new WorkerToShard.Pull(LATER, 5)));
    }

    @Test
    void a_stale_push_is_done_again_when_all_shards_have_answered() {
        pushes();
        hears(FIRST, result(A, Outcome.STALE));

        assertThat(hears(SECOND, result(B, Outcome.APPLIED)))
                .containsExactly(send(FIRST, new WorkerToShard.Pull(A, 5)), send(SECOND, new WorkerToShard.Pull(B, 5)));
    }

    @Test
    void an_answer_to_an_earlier_request_changes_nothing() {
        pushes();

        assertThat(hears(FIRST, new ShardToWorker.Values(A, 2, 4, floats(1)))).isEmpty();
        assertThat(worker).hasToString("PUSH minibatch 0 of task 1: a[0..2) of epoch 1");
    }

    @Test
    void a_server_with_another_life_than_the_view_says_is_dialed_again() {
        pushes();

        assertThat(hears(FIRST, new ShardToWorker.Gone(LATER, 4))).containsExactly(new Effect.Close(FIRST));
    }

    @Test
    void a_gradient_that_is_not_finite_ends_the_worker_for_good() {
        pushes();

        assertThat(hears(SECOND, new ShardToWorker.NotFinite(B, 4)))
                .containsExactly(new Effect.End(
                        70,
                        "ps-1 refused the gradient of minibatch 0 of task 1: a[0..2) of epoch 1: it holds NaN or an"
                                + " infinity"));
    }

    @Test
    void a_task_that_the_next_master_does_not_know_is_dropped() {
        pushes();
        worker.on(new Event.Closed(MASTER), now);
        now += 50_000_000;
        Link again = new Link("master", 2);

        List<Effect> hello = worker.on(new Event.Tick(), now);
        hears(again, new MasterToWorker.View(new Term(2, "m2"), List.of(A, B)));

        assertThat(hello).contains(send(again, new WorkerToMaster.Hello(1, TASK)));
        assertThat(hears(again, new MasterToWorker.Welcome(false)))
                .containsExactly(send(again, new WorkerToMaster.Next(5)));
    }
}
