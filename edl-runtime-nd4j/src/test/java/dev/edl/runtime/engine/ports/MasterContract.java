package dev.edl.runtime.engine.ports;

import static dev.edl.runtime.ps.PushResult.Outcome.ACCUMULATED;
import static dev.edl.runtime.ps.PushResult.Outcome.APPLIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.Progress;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Contract of a worker's client of a master, local or remote. A subclass supplies a master over two parameter shards.
 * A test runs its work by {@link Run#watch} and sets its clock.
 */
public abstract class MasterContract {
    private static final int FLOATS = Fixture.FEATURES + 1;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Master with the test hooks of its host. */
    protected interface Run extends AutoCloseable {
        /** Returns a worker's client of the present master. */
        MasterPort master(String worker);

        /** Returns a worker's client of the shards; a wait for an absent shard takes at most some milliseconds. */
        ShardsPort shards(String worker);

        /** Runs one iteration of the master's work. */
        void watch() throws InterruptedException;

        /** Advances the clock. */
        void pass(Duration time);

        /** Replaces the master by another one with the same ledger. */
        void replace() throws InterruptedException;

        /** Removes a shard. */
        void lose(int shard);

        /** Restores a shard with its initial values. */
        void bringBack(int shard);

        Progress progress();

        /** Returns why the training cannot be completed, if so. */
        Optional<String> failure();

        void onTraining(Consumer<TrainingEvent> listener);

        @Override
        void close();
    }

    private @Nullable Run started;

    /** Starts a master. */
    protected abstract Run start(Training training) throws Exception;

    private Run begin(TrainingBuilder training) throws Exception {
        Run run = start(training.build());
        started = run;
        return run;
    }

    private Run begin() throws Exception {
        return begin(training());
    }

    private static TrainingBuilder training() {
        return Fixture.training(new LogisticModel(Fixture.FEATURES)).taskTimeout(Duration.ofMinutes(5));
    }

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
    }

    private static Task task(Assignment assignment) {
        assertThat(assignment).isInstanceOf(Assignment.Lease.class);
        return ((Assignment.Lease) assignment).task();
    }

    private static PushResult push(ShardsPort shards, long id) throws InterruptedException {
        WeightVersions base = new WeightVersions(shards.count());
        shards.pull(new float[FLOATS], List.of(), base);
        return shards.push(id, base, new float[FLOATS], List.of());
    }

    private static void pushAll(ShardsPort shards, Task task) throws InterruptedException {
        for (int k = 0; k < task.minibatches(); k++) {
            assertThat(push(shards, task.pushId(k)).outcome()).isEqualTo(APPLIED);
        }
    }

    @Test
    void a_task_is_held_by_one_worker() throws Exception {
        Run run = begin();
        Task a = task(run.master("a").next());
        Task b = task(run.master("b").next());

        assertThat(a.range()).isNotEqualTo(b.range());
        assertThat(a.id()).isNotEqualTo(b.id());
    }

    @Test
    void a_worker_that_asks_again_has_lost_its_task() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        Task first = task(a.next());
        Task second = task(a.next());

        assertThat(second.range()).isEqualTo(first.range());
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(second.id()).isNotEqualTo(first.id());
    }

    @Test
    void a_worker_without_work_is_told_what_it_waits_for() throws Exception {
        Run run = begin(training().minibatch(40).minibatchesPerTask(2).epochs(1));
        Task first = task(run.master("a").next());
        for (String worker : List.of("b", "c", "d")) {
            task(run.master(worker).next());
        }
        MasterPort e = run.master("e");

        assertThat(e.next()).isEqualTo(new Assignment.Wait("4 tasks are with a, b, c, d"));
        e.awaitChange();
        run.master("a").failed(first, new TaskFailure(FailureKind.ENVIRONMENT, "ps-1 is away"));
        assertThat(task(e.next()).range()).isEqualTo(first.range());
    }

    @Test
    void a_task_is_trained_once_every_shard_holds_its_pushes() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        Task task = task(a.next());
        pushAll(run.shards("a"), task);
        a.trained(task, ShardLife.UNKNOWN_LIVES);
        a.trained(task, ShardLife.UNKNOWN_LIVES);

        assertThat(run.progress().recordsDone()).isEqualTo(task.records());
    }

    @Test
    void a_task_is_handed_out_again_if_one_shard_lost_a_push() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        Task task = task(a.next());
        pushAll(run.shards("a"), task);
        run.lose(1);
        run.bringBack(1);
        a.trained(task, ShardLife.UNKNOWN_LIVES);

        assertThat(run.progress().recordsDone()).isZero();
        Task again = task(run.master("b").next());
        assertThat(again.range()).isEqualTo(task.range());
        assertThat(again.attempt()).isEqualTo(1);
    }

    @Test
    void a_report_has_no_effect_while_a_shard_is_absent_and_can_be_retried() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        ShardsPort shards = run.shards("a");
        Task task = task(a.next());
        pushAll(shards, task);
        run.lose(1);

        assertThatThrownBy(() -> a.trained(task, ShardLife.UNKNOWN_LIVES))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessageStartingWith("parameter shard ps-1 did not come back within ");
        assertThat(task(run.master("b").next()).range()).isNotEqualTo(task.range());
        run.bringBack(1);
        for (int k = 0; k < task.minibatches(); k++) {
            push(shards, task.pushId(k));
        }
        a.trained(task, ShardLife.UNKNOWN_LIVES);
        assertThat(run.progress().recordsDone()).isEqualTo(task.records());
    }

    @Test
    void a_report_of_a_task_that_another_worker_holds_is_ignored() throws Exception {
        Run run = begin(training().maxTaskFailures(1));
        MasterPort a = run.master("a");
        Task late = task(a.next());
        pushAll(run.shards("a"), late);
        run.pass(MINUTE.multipliedBy(6));
        run.watch();
        MasterPort b = run.master("b");
        Task task = task(b.next());
        assertThat(task.range()).isEqualTo(late.range());

        a.trained(late, ShardLife.UNKNOWN_LIVES);
        a.failed(late, new TaskFailure(FailureKind.DATA, "record 3 has no label"));
        assertThat(run.failure()).isEmpty();
        assertThat(run.progress().recordsDone()).isZero();
        b.trained(task, ShardLife.UNKNOWN_LIVES);
        assertThat(run.progress().recordsDone()).isEqualTo(task.records());
    }

    @Test
    void touches_keep_a_lease_which_otherwise_expires() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        Task task = task(a.next());
        run.pass(MINUTE.multipliedBy(4));
        a.touch(task);
        run.pass(MINUTE.multipliedBy(4));
        run.watch();
        Task other = task(run.master("b").next());
        assertThat(other.range()).isNotEqualTo(task.range());

        run.pass(MINUTE.multipliedBy(2));
        run.watch();
        assertThat(task(run.master("c").next()).range()).isEqualTo(task.range());
    }

    @Test
    void a_worker_may_hold_the_task_behind_its_own_and_reports_each() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        Task task = task(a.next());
        Task ahead = task(a.prefetch(task));
        assertThat(ahead.range()).isNotEqualTo(task.range());
        assertThat(a.prefetch(task)).isInstanceOf(Assignment.Wait.class);

        pushAll(run.shards("a"), task);
        assertThat(a.startPrefetched(ahead)).isTrue();
        a.trained(task, ShardLife.UNKNOWN_LIVES);
        pushAll(run.shards("a"), ahead);
        a.trained(ahead, ShardLife.UNKNOWN_LIVES);

        assertThat(run.progress().recordsDone()).isEqualTo(task.records() + ahead.records());
    }

    @Test
    void a_sign_of_life_keeps_the_task_behind_as_well() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        Task task = task(a.next());
        Task ahead = task(a.prefetch(task));
        run.pass(MINUTE.multipliedBy(4));
        a.touch(task);
        run.pass(MINUTE.multipliedBy(4));
        run.watch();

        assertThat(a.startPrefetched(ahead)).isTrue();
    }

    @Test
    void a_task_that_is_not_begun_goes_to_an_idle_worker() throws Exception {
        Run run = begin(training().minibatch(40).minibatchesPerTask(2).epochs(1));
        MasterPort a = run.master("a");
        MasterPort b = run.master("b");
        Task task = task(a.next());
        Task ahead = task(a.prefetch(task));
        Task begun = task(b.next());
        Task behind = task(b.prefetch(begun));
        assertThat(b.startPrefetched(behind)).isTrue();

        Task given = task(run.master("c").next());

        assertThat(given.range()).isEqualTo(ahead.range());
        assertThat(given.attempt()).isZero();
        assertThat(a.startPrefetched(ahead)).isFalse();
        assertThat(run.master("d").next()).isEqualTo(new Assignment.Wait("4 tasks are with a, b, c"));
    }

    @Test
    void data_that_fail_too_often_end_the_training() throws Exception {
        Run run = begin(training()
                .maxTaskFailures(2)
                .minibatch(40)
                .minibatchesPerTask(2)
                .epochs(1));
        MasterPort a = run.master("a");
        Task task = task(a.next());
        for (String worker : List.of("b", "c", "d")) {
            task(run.master(worker).next());
        }
        a.failed(task, new TaskFailure(FailureKind.DATA, "record 3 has no label"));
        assertThat(run.failure()).isEmpty();
        Task again = task(a.next());
        assertThat(again.range()).isEqualTo(task.range());
        a.failed(again, new TaskFailure(FailureKind.UNREADABLE, "part-0 is torn"));

        assertThat(run.failure())
                .hasValueSatisfying(message ->
                        assertThat(message).startsWith(task.range().toString()).contains("part-0 is torn"));
        assertThat(run.master("e").next()).isInstanceOf(Assignment.Wait.class);
    }

    @Test
    void a_server_that_is_away_counts_against_no_data() throws Exception {
        Run run = begin(training().maxTaskFailures(1));
        MasterPort a = run.master("a");
        Task task = task(a.next());
        for (int i = 0; i < 5; i++) {
            a.failed(task, new TaskFailure(FailureKind.ENVIRONMENT, "ps-1 is away"));
            Task again = task(a.next());
            assertThat(again.range()).isEqualTo(task.range());
            task = again;
        }
        assertThat(run.failure()).isEmpty();
    }

    @Test
    void a_model_that_breaks_its_contract_ends_the_training_at_once() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        a.failed(task(a.next()), new TaskFailure(FailureKind.MODEL, "the loss is NaN"));

        assertThat(run.failure()).hasValue("the loss is NaN");
        assertThat(run.master("b").next()).isEqualTo(new Assignment.Wait("the loss is NaN"));
    }

    @Test
    void a_round_waits_for_joined_workers_only() throws Exception {
        Run run = begin(training().consistency(Consistency.synchronous()));
        MasterPort a = run.master("a");
        MasterPort b = run.master("b");
        ShardsPort shards = run.shards("a");
        long id = task(a.next()).pushId(0);
        a.minibatchStarted();
        b.minibatchStarted();
        assertThat(push(shards, id).outcome()).isEqualTo(ACCUMULATED);
        assertThatThrownBy(() -> shards.awaitRound(id, Duration.ZERO)).hasMessageEndingWith("waits for b");

        b.leave();
        assertThat(shards.awaitRound(id, Duration.ZERO)).isTrue();
    }

    @Test
    void a_round_does_not_wait_for_a_late_worker() throws Exception {
        Run run = begin(training().consistency(Consistency.synchronous()));
        MasterPort a = run.master("a");
        MasterPort b = run.master("b");
        ShardsPort shards = run.shards("a");
        Task task = task(a.next());
        a.minibatchStarted();
        b.minibatchStarted();
        run.pass(Duration.ofSeconds(1));
        a.gradientComputed();
        push(shards, task.pushId(0));
        a.roundWaitStarted();
        run.pass(Duration.ofSeconds(11));
        run.watch();
        assertThat(shards.awaitRound(task.pushId(0), Duration.ZERO)).isTrue();

        a.roundWaitEnded();
        a.minibatchStarted();
        b.minibatchStarted();
        assertThat(push(shards, task.pushId(1)).outcome()).isEqualTo(ACCUMULATED);
        assertThatThrownBy(() -> shards.awaitRound(task.pushId(1), Duration.ZERO))
                .hasMessageEndingWith("waits for b");
    }

    @Test
    void a_worker_that_waits_for_a_round_is_not_late() throws Exception {
        Run run = begin(training().consistency(Consistency.synchronous()));
        MasterPort a = run.master("a");
        MasterPort b = run.master("b");
        ShardsPort ofB = run.shards("b");
        long id = task(b.next()).pushId(0);
        a.minibatchStarted();
        b.minibatchStarted();
        run.pass(Duration.ofSeconds(1));
        a.gradientComputed();
        a.roundWaitStarted();
        run.pass(Duration.ofSeconds(11));
        b.minibatchStarted();
        run.watch();

        push(ofB, id);
        assertThatThrownBy(() -> ofB.awaitRound(id, Duration.ZERO)).hasMessageEndingWith("waits for a");
        a.roundWaitEnded();
        run.pass(Duration.ofSeconds(11));
        run.watch();
        assertThat(ofB.awaitRound(id, Duration.ZERO)).isTrue();
    }

    @Test
    void the_loss_is_seen_in_the_progress_and_as_an_event() throws Exception {
        Run run = begin();
        AtomicReference<TrainingEvent> heard = new AtomicReference<>();
        CountDownLatch latch = new CountDownLatch(1);
        run.onTraining(event -> {
            if (event instanceof TrainingEvent.Loss) {
                heard.set(event);
                latch.countDown();
            }
        });
        MasterPort a = run.master("a");
        a.loss(0.5f, 3);
        a.logLoss(0.25f, 3);
        Waits.on(latch);

        assertThat(run.progress().loss()).isEqualTo(0.5);
        assertThat(heard.get()).isEqualTo(new TrainingEvent.Loss("a", 3, 0.25f));
    }

    @Test
    void an_evaluation_uses_its_version_and_counts_each_task_once() throws Exception {
        Run run = begin(training().evaluationSteps(1).metrics(Metric.accuracy()));
        AtomicReference<TrainingEvent> heard = new AtomicReference<>();
        CountDownLatch latch = new CountDownLatch(1);
        run.onTraining(event -> {
            if (event instanceof TrainingEvent.Evaluation evaluation && evaluation.step() == 1) {
                heard.set(event);
                latch.countDown();
            }
        });
        ShardsPort shards = run.shards("a");
        MasterPort a = run.master("a");
        Task trained = task(a.next());
        push(shards, trained.pushId(0));
        float[] then = new float[FLOATS];
        shards.pull(then, List.of(), new WeightVersions(shards.count()));
        WeightVersions base = new WeightVersions(shards.count());
        shards.pull(new float[FLOATS], List.of(), base);
        shards.push(trained.pushId(1), base, new float[] {1, 1, 1, 1, 1, 1}, List.of());

        MasterPort b = run.master("b");
        int tasks = 0;
        for (Task task = task(b.next()); task.type() == TaskType.EVALUATION; task = task(b.next())) {
            if (task.modelVersion() == 1) {
                assertThat(b.model(1).weights()).containsExactly(then);
                double[][] sums = {{1, task.records()}};
                b.evaluated(task, sums);
                b.evaluated(task, sums);
                tasks++;
            } else {
                b.evaluated(task, new double[][] {{0, task.records()}});
            }
        }
        Waits.on(latch);

        assertThat(heard.get()).isEqualTo(new TrainingEvent.Evaluation(1, Map.of("accuracy", tasks / 200.0)));
    }

    @Test
    void every_call_of_a_master_that_has_left_says_so() throws Exception {
        Run run = begin();
        MasterPort a = run.master("a");
        Task task = task(a.next());
        run.replace();

        LeftMaster.assertThatAllCallsSaySo(a, task);
        a.leave();
    }

    @Test
    void the_next_master_hands_out_what_a_worker_held() throws Exception {
        Run run = begin();
        Task task = task(run.master("a").next());
        run.replace();

        Task again = task(run.master("a").next());
        assertThat(again.range()).isEqualTo(task.range());
        assertThat(again.id()).isNotEqualTo(task.id());
    }
}
