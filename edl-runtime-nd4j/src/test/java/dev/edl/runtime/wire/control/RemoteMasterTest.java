package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.engine.ports.FailureKind;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.PendingUploads;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class RemoteMasterTest {
    private static final Term TERM = new Term(1, "master-0.1");
    private static final Task TASK = NotedMaster.task(1, 4);

    private final ManualTimers alarms = new ManualTimers();
    private final Loopback loopback = new Loopback(alarms);
    private final NotedMaster master = new NotedMaster();

    @AfterEach
    void close() {
        master.open.countDown();
        loopback.close();
    }

    private RemoteMaster serve(boolean rounds) {
        loopback.listener.serves(Loopback.lead(TERM, rounds), worker -> master);
        return loopback.worker("a");
    }

    /** A call of a worker. */
    private interface Call {
        void make(RemoteMaster master) throws InterruptedException;
    }

    static Stream<Arguments> waitingCalls() {
        Map<String, Call> calls = Map.of(
                "next", RemoteMaster::next,
                "ahead", port -> port.prefetch(TASK),
                "starts", port -> port.startPrefetched(TASK),
                "awaitChange", RemoteMaster::awaitChange,
                "model", port -> port.model(1),
                "trained", port -> port.trained(TASK, Long.MIN_VALUE),
                "evaluated", port -> port.evaluated(TASK, new double[][] {{1}}),
                "predicted", port -> port.predicted(TASK, new float[] {1}),
                "failed", port -> port.failed(TASK, new TaskFailure(FailureKind.DATA, "no label")),
                "begins", RemoteMaster::minibatchStarted);
        return calls.entrySet().stream()
                .flatMap(call -> Stream.of("retires", "is killed")
                        .map(end -> Arguments.of(call.getKey(), end, call.getValue())));
    }

    @ParameterizedTest(name = "{0} while the master {1}")
    @MethodSource("waitingCalls")
    void pending_call_fails_when_the_master_disconnects(String name, String end, Call call) throws Exception {
        RemoteMaster port = serve(true);
        master.waiting = name;
        FutureTask<Throwable> result = new FutureTask<>(() -> {
            try {
                call.make(port);
                return new AssertionError("the call has returned");
            } catch (MasterGoneException gone) {
                return gone;
            }
        });
        Waits.THREADS.execute(result);
        assertThat(master.nextCall()).startsWith(name);
        if (end.equals("retires")) {
            loopback.listener.retire();
        } else {
            loopback.listener.close();
        }

        assertThat(result.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(MasterGoneException.class);
    }

    @Test
    void a_minibatch_of_asynchronous_training_costs_no_message() throws Exception {
        RemoteMaster port = serve(false);
        long before = port.rpcPeer().news();
        for (int k = 0; k < 1000; k++) {
            minibatch(port);
        }
        assertThat(port.rpcPeer().requests()).isZero();
        // The first sign reports the begin; all others wait for the timer.
        assertThat(port.rpcPeer().news()).isEqualTo(before + 1);
        alarms.pass(Duration.ofMillis(100));

        assertThat(port.rpcPeer().news()).isEqualTo(before + 2);
        assertThat(List.of(master.nextCall(), master.nextCall())).containsExactly("begins", "touch 1");
        List<String> losses = new ArrayList<>();
        for (int k = 0; k < 1000; k++) {
            losses.add(master.nextCall());
        }
        assertThat(losses).containsOnly("loss 0.5 7");
    }

    private static void minibatch(RemoteMaster port) {
        port.minibatchStarted();
        port.minibatchStarted();
        port.gradientComputed();
        port.loss(0.5f, 7);
        port.roundWaitStarted();
        port.roundWaitEnded();
        port.touch(TASK);
    }

    @Test
    void synchronous_minibatch_waits_for_the_master_only_to_join() throws Exception {
        RemoteMaster port = serve(true);
        long before = port.rpcPeer().news();
        for (int k = 0; k < 1000; k++) {
            minibatch(port);
        }
        assertThat(port.rpcPeer().requests()).isEqualTo(1);
        assertThat(port.rpcPeer().news()).isEqualTo(before + 1);
        alarms.pass(Duration.ofMillis(100));
        port.settle();

        assertThat(port.rpcPeer().news()).isEqualTo(before + 2);
        List<String> calls = new ArrayList<>();
        master.calls.drainTo(calls);
        calls.removeIf(call -> call.startsWith("loss"));
        assertThat(calls).containsExactly("begins", "begins", "begins", "computed", "continues", "touch 1");
    }

    @Test
    void round_wait_is_reported_within_a_tenth_of_a_second() throws Exception {
        RemoteMaster port = serve(true);
        port.minibatchStarted();
        port.gradientComputed();
        port.roundWaitStarted();
        alarms.pass(Duration.ofMillis(100));
        port.settle();

        List<String> calls = new ArrayList<>();
        master.calls.drainTo(calls);
        assertThat(calls).containsExactly("begins", "computed", "waits");
    }

    @Test
    void leave_is_reported_at_once_and_next_minibatch_joins_again() throws Exception {
        RemoteMaster port = serve(true);
        port.minibatchStarted();
        port.leave();
        port.minibatchStarted();

        assertThat(List.of(master.nextCall(), master.nextCall(), master.nextCall()))
                .containsExactly("begins", "leave", "begins");
        assertThat(port.rpcPeer().requests()).isEqualTo(2);
    }

    @Test
    void task_progress_is_reported_once_a_second() throws Exception {
        RemoteMaster port = serve(false);
        for (int half = 0; half < 6; half++) {
            port.touch(TASK);
            alarms.pass(Duration.ofMillis(500));
        }
        port.settle();

        assertThat(master.calls).containsExactly("touch 1", "touch 1", "touch 1");
    }

    @Test
    void next_task_is_claimed_one_minibatch_before_the_last() throws Exception {
        RemoteMaster port = serve(false);
        Task ahead = NotedMaster.task(2, 4);
        port.prefetch(TASK);
        assertThat(master.nextCall()).isEqualTo("ahead 1");
        port.touch(TASK);
        port.touch(TASK);
        assertThat(port.rpcPeer().requests()).isEqualTo(1);
        port.touch(TASK);
        assertThat(port.rpcPeer().requests()).isEqualTo(2);
        port.touch(TASK);

        assertThat(port.startPrefetched(ahead)).isTrue();
        assertThat(port.rpcPeer().requests()).isEqualTo(2);
        master.calls.removeIf(call -> call.startsWith("touch"));
        assertThat(master.calls).containsExactly("starts 2");
    }

    @Test
    void blocked_report_does_not_delay_progress_reports() throws Exception {
        RemoteMaster port = serve(false);
        master.waiting = "trained";
        FutureTask<Boolean> report = new FutureTask<>(() -> {
            port.trained(TASK, Long.MIN_VALUE);
            return true;
        });
        Waits.THREADS.execute(report);
        assertThat(master.nextCall()).isEqualTo("trained 1 -9223372036854775808");
        port.touch(NotedMaster.task(2, 4));

        assertThat(master.nextCall()).isEqualTo("touch 2");
        master.open.countDown();
        assertThat(report.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void workers_without_work_wait_on_one_thread_of_the_master() throws Exception {
        serve(false);
        master.waiting = "awaitChange";
        CountDownLatch back = new CountDownLatch(9);
        for (int i = 0; i < 9; i++) {
            RemoteMaster port = loopback.worker("idle-" + i);
            Waits.THREADS.execute(() -> {
                try {
                    port.awaitChange();
                    back.countDown();
                } catch (InterruptedException closing) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        assertThat(master.nextCall()).isEqualTo("awaitChange");
        // More workers wait than the master has threads, and it still serves others.
        assertThat(loopback.worker("a").prefetch(TASK)).isNotNull();
        master.open.countDown();
        Waits.on(back);
    }

    @Test
    void large_model_arrives_completely_and_only_once() throws Exception {
        RemoteMaster port = serve(false);

        assertThat(port.model(1)).isSameAs(NotedMaster.MODEL);
        int sent = loopback.codec.written();
        assertThat(port.model(1)).isSameAs(NotedMaster.MODEL);
        assertThat(loopback.codec.written()).isEqualTo(sent);
    }

    @Test
    void outputs_of_many_chunks_come_whole() throws Exception {
        RemoteMaster port = serve(false);
        float[] outputs = new float[700_001];
        outputs[700_000] = 3.5f;
        port.predicted(TASK, outputs);

        assertThat(master.nextCall()).isEqualTo("predicted 1 700001 3.5");
    }

    @Test
    void disconnected_worker_leaves_rounds_at_once_and_loses_tasks_later() throws Exception {
        serve(false);
        cut("a");
        assertThat(loopback.hears()).isEqualTo("left a");
        alarms.await(Duration.ofSeconds(10));
        alarms.pass(Duration.ofMillis(9_999));
        assertThat(loopback.heard).isEmpty();
        alarms.pass(Duration.ofMillis(1));

        assertThat(List.of(loopback.hears(), loopback.hears())).containsExactly("lost a", "gone a");
    }

    /** Cuts the connection of a worker. */
    private void cut(String worker) {
        ConnectAttempt attempt = loopback.link(worker).connection().orElseThrow();
        attempt.cut();
        Loopback.awaitEnd(attempt);
    }

    @Test
    void worker_that_reconnects_in_time_keeps_its_tasks() throws Exception {
        serve(false);
        cut("a");
        assertThat(loopback.hears()).isEqualTo("left a");
        loopback.worker("a").next();
        alarms.pass(Duration.ofMinutes(1));
        loopback.listener.gone("b");

        assertThat(loopback.hears()).isEqualTo("gone b");
        assertThat(master.nextCall()).isEqualTo("next");
    }

    @Test
    void worker_that_closes_orderly_is_gone_at_once() throws Exception {
        serve(false);
        loopback.link("a").close();

        assertThat(List.of(loopback.hears(), loopback.hears())).containsExactly("left a", "gone a");
    }

    @Test
    void worker_reported_as_ended_is_gone_at_once() throws Exception {
        RemoteMaster port = serve(false);
        loopback.listener.gone("a");

        assertThat(List.of(loopback.hears(), loopback.hears())).containsExactly("left a", "gone a");
        Loopback.awaitEnd(loopback.link("a").connection().orElseThrow());
        assertThatThrownBy(port::next).isInstanceOf(MasterGoneException.class);
    }

    @Test
    void reconnected_worker_leaves_the_rounds_before_its_new_connection_works() throws Exception {
        RemoteMaster old = serve(true);
        old.minibatchStarted();
        assertThat(master.nextCall()).isEqualTo("begins");
        try (WorkerLink again = WorkerLink.of(loopback.caller(Hello.Role.WORKER, 0, "a"))) {
            RemoteMaster port = again.reach(() -> {}).orElseThrow();
            assertThat(loopback.hears()).isEqualTo("left a");
            port.next();

            assertThat(master.nextCall()).isEqualTo("next");
            Loopback.awaitEnd(loopback.link("a").connection().orElseThrow());
            assertThatThrownBy(old::next).isInstanceOf(MasterGoneException.class);
        }
    }

    @Test
    void no_thread_is_left_behind() throws Exception {
        RemoteMaster port = serve(true);
        port.minibatchStarted();
        port.next();
        port.trained(TASK, Long.MIN_VALUE);
        port.model(1);
        loopback.close();
        Consumer<Thread> end = thread -> {
            try {
                thread.join(Loopback.BOUND.toMillis());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        };

        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("unit-master")
                        || thread.getName().startsWith("a-"))
                .forEach(end);
    }

    @Test
    void queued_model_download_receives_pings() throws Exception {
        ConnectionSettings oneAtATime =
                Loopback.bounds().keepAlive(Duration.ofMillis(1)).threads(1).build();
        try (Loopback busy = new Loopback(new ManualTimers(), 0, oneAtATime)) {
            busy.listener.serves(Loopback.lead(TERM, false), worker -> master);
            RemoteMaster first = busy.worker("a");
            master.waiting = "model";
            FutureTask<ModelSnapshot> model = new FutureTask<>(() -> first.model(1));
            Waits.THREADS.execute(model);
            assertThat(master.nextCall()).isEqualTo("model 1");
            try (Stranger second = new Stranger(busy.listener)) {
                second.content("session-1");
                second.says(Message.ask(0, "model", Stranger.model(2)));
                second.channel.socket().setSoTimeout((int) Loopback.BOUND.toMillis());
                byte[] ping = second.channel.socket().getInputStream().readNBytes(36);
                assertThat(ping).startsWith('E', 'D', 'L', 'F', 3, 0, 19);

                master.open.countDown();
                assertThat(second.hears()).hasToString("{\"same\":false}");
                assertThat(model.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                        .isNotNull();
            }
        }
    }

    @Test
    void content_exceeding_memory_fails_the_wait_for_it() {
        PendingUploads uploads = new PendingUploads();
        PendingUploads.ExpectedUpload<String> state = uploads.expect(from -> {
            throw new OutOfMemoryError("Java heap space");
        });
        assertThatThrownBy(() -> uploads.received(state.id(), InputStream.nullInputStream()))
                .isInstanceOf(OutOfMemoryError.class);

        assertThatThrownBy(() -> uploads.await("ps-1 saveCut", state, Duration.ofMillis(1)))
                .isInstanceOf(RpcPeer.PeerClosedException.class)
                .hasMessage("ps-1 saveCut: OutOfMemoryError: Java heap space");
    }
}
