package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.EarlyStop;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.group.Workers;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handling of versions that a parameter server has lost. */
class LostVersionsTest {
    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private TrainingStore store;
    private EventHub events;
    private TestShards shards;
    private SharedTrainingState services;
    private AbsentServerRetry retry;
    private @Nullable RegistrationPort registration;
    private long pushed;
    /** Number of record writes that fail, because a shard is absent. */
    private int unwritten;

    @BeforeEach
    void begin() throws IOException {
        begin(Fixture.training(new LogisticModel(Fixture.FEATURES))
                .callback(EarlyStop.on("loss").patience(100).restoreBest(true)));
    }

    private void begin(TrainingBuilder builder) throws IOException {
        Training training = builder.evaluationSteps(2)
                .onTraining(event -> {
                    if (event instanceof TrainingEvent.EvaluationLost
                            || event instanceof TrainingEvent.BestVersionLost
                            || event instanceof TrainingEvent.BegunAnew) {
                        heard.add(event.toString());
                    }
                })
                .build();
        store = TrainingStore.open(training, 1);
        events = new EventHub("unit", training.listeners());
        shards = new TestShards(List.of(store.newShard(0)), Duration.ofMillis(5));
        services = new SharedTrainingState(
                "master", training, shards, store, events, null, null, RunClock.of(() -> Instant.EPOCH));
        retry = services.waits(() -> {});
    }

    @AfterEach
    void end() throws IOException {
        events.close();
        store.close();
    }

    private TrainingMaster master() throws InterruptedException {
        TrainingMaster master = MasterRunner.master(services, leaving(services.lead()), event -> {});
        registration = new LocalRegistrationPort(master, services);
        MasterRunner.comeUp(master, services, master.shards(), retry);
        services.publish(master);
        return master;
    }

    private ShardsControl leaving(ShardsControl present) {
        return (ShardsControl) Proxy.newProxyInstance(
                ShardsControl.class.getClassLoader(),
                new Class<?>[] {ShardsControl.class},
                (proxy, call, arguments) -> {
                    if (call.getName().equals("decide") && unwritten > 0) {
                        unwritten--;
                        throw new ShardTimeoutException("parameter server ps-0 is away");
                    }
                    try {
                        return call.invoke(present, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    private void push() throws InterruptedException {
        long[] versions = {0};
        float[] weights = new float[Fixture.FEATURES + 1];
        Workers.of(shards).pull("worker-0", weights, List.of(), versions);
        Workers.of(shards).push("worker-0", pushed++, versions, new float[Fixture.FEATURES + 1]);
    }

    private void loseShard() {
        shards.detach(0);
        Servers.start(Objects.requireNonNull(registration), services, 0);
        pushed = 0;
    }

    /** Evaluates open versions and calls the callbacks. */
    private void evaluate(TrainingMaster master, double loss) throws InterruptedException {
        measure(master, loss);
        master.callbacks().deliver(services, master.decisions(), retry);
        master.runIteration(retry);
    }

    private void measure(TrainingMaster master, double loss) {
        while (!master.openEvaluations().isEmpty()) {
            Task task = ((Assignment.Lease) master.next("worker-0")).task();
            assertThat(task.type()).isEqualTo(TaskType.EVALUATION);
            long records = task.records();
            master.evaluated(task, new double[][] {{records, records}, {loss * records, records}});
        }
    }

    private Decisions decisions(TrainingMaster master) {
        return master.decisions().now();
    }

    private List<String> heard() throws InterruptedException {
        events.drain(Duration.ofSeconds(10));
        return heard;
    }

    @Test
    void an_evaluation_of_a_lost_version_is_discarded_and_requested_again() throws Exception {
        TrainingMaster master = master();
        push();
        push();
        assertThat(master.openEvaluations()).containsExactly(2L);
        Task half = ((Assignment.Lease) master.next("worker-0")).task();
        master.evaluated(half, new double[][] {{1, 16}, {1, 16}});
        loseShard();
        master.runIteration(retry);

        assertThat(master.openEvaluations()).isEmpty();
        assertThat(decisions(master).callbacks().values().toString()).contains("NaN -1 -1 0");
        assertThat(heard()).containsExactly("The evaluation of version 2 is lost with a parameter server");
        push();
        push();
        assertThat(master.openEvaluations()).containsExactly(2L);
        evaluate(master, 0.5);
        assertThat(decisions(master).callbacks().values().toString()).contains("0.5 2 2 0 0.5");
    }

    @Test
    void results_of_a_lost_version_do_not_count_after_a_new_request() throws Exception {
        TrainingMaster master = master();
        push();
        push();
        Task old = ((Assignment.Lease) master.next("worker-0")).task();
        loseShard();
        unwritten = 1;
        master.runIteration(retry);
        assertThat(master.openEvaluations()).isEmpty();
        unwritten = 2;
        push();
        push();
        master.evaluated(old, new double[][] {{0, 16}, {1600, 16}});
        unwritten = 0;
        master.runIteration(retry);
        evaluate(master, 0.5);

        assertThat(decisions(master).newest().orElseThrow().metrics()).containsEntry("loss", 0.5);
    }

    @Test
    void an_evaluation_is_not_handed_out_if_its_version_was_lost_unwritten() throws Exception {
        TrainingMaster master = master();
        unwritten = 1;
        push();
        push();
        assertThat(decisions(master).evaluation(2)).isPresent();
        loseShard();
        master.runIteration(retry);

        assertThat(heard()).containsExactly("The evaluation of version 2 is lost with a parameter server");
        assertThat(master.openEvaluations()).isEmpty();
        push();
        push();
        evaluate(master, 0.5);
        assertThat(decisions(master).newest().orElseThrow().metrics()).containsEntry("loss", 0.5);
    }

    @Test
    void a_lost_unwritten_version_is_evaluated_once_after_a_new_request() throws Exception {
        TrainingMaster master = master();
        unwritten = 3;
        push();
        push();
        loseShard();
        master.runIteration(retry);
        push();
        push();
        master.runIteration(retry);

        assertThat(master.openEvaluations()).containsExactly(2L);
        assertThat(master.decisions().model(2).version()).isEqualTo(2);
        evaluate(master, 0.5);
        assertThat(decisions(master).newest().orElseThrow().metrics()).containsEntry("loss", 0.5);
        assertThat(master.openEvaluations()).isEmpty();
    }

    @Test
    void the_last_version_is_evaluated_even_if_lost_after_the_end() throws Exception {
        TrainingMaster master = master();
        master.decisions().stop("enough", retry);
        master.runIteration(retry);
        assertThat(master.finalCut()).isPresent();
        loseShard();
        master.runIteration(retry);

        assertThat(heard()).isEmpty();
        assertThat(master.openEvaluations()).containsExactly(0L);
        evaluate(master, 0.5);
        assertThat(master.finished()).isTrue();
        assertThat(decisions(master).figures(0, false)).containsEntry("loss", 0.5);
    }

    @Test
    void a_lost_version_with_unwritten_metrics_has_a_model_when_requested_again() throws Exception {
        end();
        begin(Fixture.training(new LogisticModel(Fixture.FEATURES)));
        TrainingMaster master = master();
        push();
        push();
        unwritten = 100;
        measure(master, 0.25);
        loseShard();
        master.runIteration(retry);
        push();
        push();
        unwritten = 0;
        master.runIteration(retry);

        assertThat(master.openEvaluations()).containsExactly(2L);
        assertThat(master.decisions().model(2).version()).isEqualTo(2);
        measure(master, 0.5);
        assertThat(decisions(master).newest().orElseThrow().metrics()).containsEntry("loss", 0.5);
    }

    @Test
    void the_last_metrics_stay_if_a_server_returns_before_the_callbacks_run() throws Exception {
        TrainingMaster master = master();
        master.decisions().stop("enough", retry);
        master.runIteration(retry);
        measure(master, 0.5);
        loseShard();
        master.runIteration(retry);
        master.callbacks().deliver(services, master.decisions(), retry);

        assertThat(heard()).isEmpty();
        assertThat(decisions(master).figures(0, false)).containsEntry("loss", 0.5);
        assertThat(decisions(master).callbacks().values().toString()).contains("0.5 0 0 0");
    }

    @Test
    void a_lost_best_version_is_replaced_by_the_best_since() throws Exception {
        TrainingMaster master = master();
        push();
        push();
        evaluate(master, 0.5);
        assertThat(decisions(master).best().orElseThrow().version()).isEqualTo(2);
        loseShard();
        master.runIteration(retry);

        assertThat(decisions(master).best()).isEmpty();
        assertThat(heard()).containsExactly("The best version, 2, is lost with a parameter server");
        for (int i = 0; i < 4; i++) {
            push();
        }
        evaluate(master, 0.75);
        assertThat(decisions(master).best().orElseThrow().version()).isEqualTo(4);
        assertThat(decisions(master).best().orElseThrow().metrics()).isEqualTo(Map.of("accuracy", 1.0, "loss", 0.75));
        assertThat(master.decisions().bestModel(retry)).isPresent();
    }

    @Test
    void a_lost_best_version_is_cleared_even_if_its_number_is_reused() throws Exception {
        TrainingMaster master = master();
        push();
        push();
        evaluate(master, 0.5);
        loseShard();
        push();
        push();
        master.runIteration(retry);

        assertThat(decisions(master).best()).isEmpty();
        assertThat(heard()).containsExactly("The best version, 2, is lost with a parameter server");
    }

    @Test
    void a_lost_version_cannot_be_kept_after_its_number_is_reused() throws Exception {
        TrainingMaster master = master();
        push();
        push();
        measure(master, 0.5);
        loseShard();
        push();
        push();

        assertThat(master.decisions().keep(2, Map.of("loss", 0.5), retry)).isFalse();
        assertThat(decisions(master).best()).isEmpty();
    }

    @Test
    void a_best_version_outlives_its_master_with_and_without_its_ledger() throws Exception {
        TrainingMaster first = master();
        push();
        push();
        evaluate(first, 0.5);
        TrainingMaster second = master();
        assertThat(decisions(second).best().orElseThrow().version()).isEqualTo(2);
        store.dropLedger();
        TrainingMaster third = master();

        assertThat(decisions(third).best().orElseThrow().version()).isEqualTo(2);
        assertThat(third.decisions().bestModel(retry).orElseThrow().version()).isEqualTo(2);
        assertThat(third.proof().toString()).doesNotContain("restarted");
        assertThat(heard()).isEmpty();
    }

    @Test
    void a_version_reached_without_a_master_is_evaluated_by_the_next_master() throws Exception {
        TrainingMaster first = master();
        services.masterSlot().retire(first);
        first.retire();
        push();
        push();
        push();

        assertThat(master().openEvaluations()).containsExactly(2L);
    }

    @Test
    void a_training_without_remaining_state_reports_a_restart() throws Exception {
        master();
        push();
        store.dropLedger();
        loseShard();
        TrainingMaster anew = master();

        assertThat(anew.proof().toString())
                .contains(" (restarted, because no shard and no checkpoint of an earlier master exists)");
        assertThat(heard())
                .containsExactly(
                        "The training restarted from scratch: no shard and no checkpoint of an earlier master exists");
    }

    @Test
    void a_shard_that_returns_gets_the_record_again() throws Exception {
        TrainingMaster master = master();
        loseShard();
        assertThat(shards.decided()).isEmpty();
        master.runIteration(retry);

        assertThat(shards.decided()).isPresent();
    }
}
